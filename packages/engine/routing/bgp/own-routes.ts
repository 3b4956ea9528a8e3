/** The routes that the router announces itself: `network`, and redistributed ones. */
import { INCOMPLETE, OWN_ATTRIBUTES, type RouteAttributes } from "./attributes.ts";
import { MAX_PREFIXES } from "./limits.ts";
import { type Prefix, prefixKey } from "./prefix.ts";
import type { Bgp, OwnRoute } from "./state.ts";
import { setPath } from "./table.ts";

/** FRR's weight of own routes. */
export const OWN_WEIGHT = 32_768;

interface Own {
  readonly prefix: Prefix;
  readonly attributes: RouteAttributes;
}

/** Brings the table up to date with the configuration and the router's table. */
export function updateOwnRoutes(bgp: Bgp): void {
  const wanted = ownRoutes(bgp);
  for (const entry of [...bgp.table.values()])
    if (!wanted.has(prefixKey(entry))) setPath(bgp, entry, undefined, undefined);
  for (const [key, { prefix, attributes }] of wanted) {
    if (!bgp.table.has(key) && bgp.table.size >= MAX_PREFIXES) continue;
    setPath(bgp, prefix, undefined, { attributes: bgp.interning.intern(attributes), weight: OWN_WEIGHT });
  }
}

/** A `network` counts more than what is redistributed. */
function ownRoutes(bgp: Bgp): Map<number, Own> {
  const { config, host } = bgp;
  const own = new Map<number, Own>();
  for (const [source, { metric }] of config.redistribute)
    for (const route of host.routesOf(source))
      own.set(prefixKey(route), {
        prefix: route,
        attributes: { ...attributesOf(route), origin: INCOMPLETE, med: metric ?? route.metric },
      });
  for (const prefix of config.networks) {
    const route = host.ownRoute(prefix);
    if (route === undefined && config.checksNetworks) continue;
    own.set(prefixKey(prefix), { prefix, attributes: attributesOf(route) });
  }
  return own;
}

const attributesOf = (route: OwnRoute | undefined): RouteAttributes => ({
  ...OWN_ATTRIBUTES,
  nextHop: route?.nextHop ?? 0,
  med: route?.metric ?? 0,
});
