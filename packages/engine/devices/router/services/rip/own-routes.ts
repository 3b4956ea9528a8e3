/** The ports on which RIP runs, and the routes that a router announces as its own. */

import { contains4, network4, parsePrefix4 } from "../../../../net/address/prefix.ts";
import type { Route } from "../../../../net/fib/route.ts";
import type { RouterPort, Tables } from "../../../../net/plane/tables.ts";
import { policiesOf } from "../../../../routing/policy/policies.ts";
import type { JudgedRoute } from "../../../../routing/policy/route.ts";
import { applyRouteMap } from "../../../../routing/policy/route-map.ts";
import { parseIpv4 } from "../../../../wire/ipv4-address.ts";
import { RIP_INFINITY } from "../../../../wire/rip.ts";
import type { RouterConfig } from "../base/config.ts";
import { judgedOf } from "../base/judged-route.ts";
import { isPassive } from "../base/passive-lines.ts";
import type { RipSpec } from "./settings.ts";
import type { Offer } from "./table.ts";

/** Metric of a route that is not redistributed with another one. */
const OWN_METRIC = 1;
/** Tags of RIP have 16 bits. */
const MAX_TAG = 0x1_0000;

/** The ports that are up and belong to one of the networks. */
export function ripPorts({ ports }: Tables, { networks }: RipSpec): RouterPort[] {
  const parsed = networks.map((network) => ({ network, prefix: parsePrefix4(network) }));
  return ports.filter(
    ({ name, vrf, ipv4 }) =>
      vrf === undefined &&
      ipv4 !== undefined &&
      parsed.some(({ network, prefix }) =>
        prefix === null ? network === name : contains4(prefix, ipv4.address),
      ),
  );
}

/** Whether the port sends updates to all neighbours. A loopback interface has none. */
export const isActive = ({ name, kind }: RouterPort, spec: RipSpec): boolean =>
  kind !== "loopback" && !isPassive(spec, name);

/** The configured neighbors at a port, as addresses. */
export const neighborsAt = ({ ipv4 }: RouterPort, { neighbors }: RipSpec): number[] =>
  neighbors.map((text) => parseIpv4(text)!).filter((address) => ipv4 && contains4(ipv4, address));

/** The routes, the most specific reason first: a subnet on which RIP runs is not redistributed. */
export function ownRoutes(tables: Tables, running: RouterConfig): Offer[] {
  const spec = running.rip!;
  const judge = judgeOf(tables, running);
  const enabled = new Set(ripPorts(tables, spec));
  const own: Offer[] = [];
  const add = (offer: Omit<Offer, "from">): void => {
    if (!own.some((each) => each.network === offer.network && each.prefixLength === offer.prefixLength))
      own.push({ ...offer, from: undefined });
  };
  for (const port of tables.ports) {
    const { ipv4, index, vrf } = port;
    const { connected } = spec.redistribute;
    if (ipv4 === undefined || vrf !== undefined) continue;
    const { prefixLength } = ipv4;
    const place = {
      network: network4(ipv4.address, prefixLength),
      prefixLength,
      port: index,
      via: undefined,
    };
    if (enabled.has(port)) add({ ...place, origin: "interface", metric: OWN_METRIC, tag: 0 });
    else if (connected)
      for (const offer of judge({ ...CONNECTED, ...place }, "connected", connected)) add(offer);
  }
  if (spec.isDefaultAnnounced)
    add({
      network: 0,
      prefixLength: 0,
      port: -1,
      via: undefined,
      origin: "default",
      metric: OWN_METRIC,
      tag: 0,
    });
  for (const route of tables.routes4.list()) {
    const { source } = route;
    if (source === "connected" || source === "rip" || (source === "static" && route.via === undefined))
      continue;
    const rule = spec.redistribute[source];
    if (rule !== undefined && route.prefixLength > 0)
      for (const offer of judge(route, source, rule)) add(offer);
  }
  return own;
}

const CONNECTED = { source: "connected", distance: 0, metric: 0, order: 0 } as const;

type Rule = NonNullable<RipSpec["redistribute"]["static"]>;

/** What a route map makes of a route, as in FRR: its metric takes the place of that of `redistribute`. */
const judgeOf =
  ({ ports }: Tables, running: RouterConfig) =>
  (route: Route<number>, origin: Offer["origin"], { metric, tag, routeMap }: Rule): Omit<Offer, "from">[] => {
    const { network, prefixLength, port, via } = route;
    const judged = {
      ...judgedOf(route, ports),
      metric: OWN_METRIC,
      nextHop: undefined,
      tag: route.tag ?? tag,
    };
    const permitted =
      routeMap === undefined ? judged : applyRouteMap(policiesOf(running), routeMap, "rip", judged);
    if (permitted === undefined) return [];
    const own = permitted.isMetricSet ? Math.min(RIP_INFINITY, Math.max(1, permitted.metric ?? 1)) : metric;
    const { nextHop } = permitted as JudgedRoute;
    return [
      {
        network,
        prefixLength,
        port,
        via,
        origin,
        metric: own,
        tag: permitted.tag % MAX_TAG,
        ...(typeof nextHop === "number" && { hop: nextHop }),
      },
    ];
  };
