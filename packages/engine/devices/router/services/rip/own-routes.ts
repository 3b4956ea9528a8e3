/** The ports on which RIP runs, and the routes that a router announces as its own. */

import { contains4, network4, parsePrefix4 } from "../../../../net/address/prefix.ts";
import type { RouterPort, Tables } from "../../../../net/plane/tables.ts";
import { parseIpv4 } from "../../../../wire/ipv4-address.ts";
import type { RipSpec } from "./settings.ts";
import type { Offer } from "./table.ts";

/** Metric of a route that is not redistributed with another one. */
const OWN_METRIC = 1;

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
export const isActive = ({ name, kind }: RouterPort, { passive }: RipSpec): boolean =>
  kind !== "loopback" && !passive.includes(name);

/** The configured neighbors at a port, as addresses. */
export const neighborsAt = ({ ipv4 }: RouterPort, { neighbors }: RipSpec): number[] =>
  neighbors.map((text) => parseIpv4(text)!).filter((address) => ipv4 && contains4(ipv4, address));

/** The routes, the most specific reason first: a subnet on which RIP runs is not redistributed. */
export function ownRoutes(tables: Tables, spec: RipSpec): Offer[] {
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
    else if (connected) add({ ...place, origin: "connected", ...connected });
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
  if (spec.redistribute.static)
    for (const { network, prefixLength, port, via, source } of tables.routes4.list())
      if (via !== undefined && source === "static")
        add({ network, prefixLength, port, via, origin: "static", ...spec.redistribute.static });
  return own;
}
