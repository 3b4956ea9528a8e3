/** What BGP asks of the router's table: ways to next hops, and routes that it may announce. */
import { contains4 } from "../../../../net/address/prefix.ts";
import type { Route } from "../../../../net/fib/route.ts";
import type { Tables } from "../../../../net/plane/tables.ts";
import type { Prefix } from "../../../../routing/bgp/prefix.ts";
import type { OwnRoute, Resolved } from "../../../../routing/bgp/state.ts";

export function wayTo(
  { routes4 }: Tables,
  address: number,
  passes: (prefix: Prefix) => boolean,
): Resolved | undefined {
  for (const routes of routes4.matching(address)) {
    const [first] = routes;
    if (first === undefined) continue;
    if (first.source === "bgp" && !passes({ network: first.network, length: first.prefixLength })) continue;
    return {
      hops: routes.map(({ port, via, reject }) => ({ port, via, ...(reject && { reject }) })),
      metric: first.metric,
      isConnected: first.source === "connected" && first.reject === undefined,
    };
  }
  return undefined;
}

const toOwn = ({ network, prefixLength, via, metric }: Route<number>): OwnRoute => ({
  network,
  length: prefixLength,
  nextHop: via ?? 0,
  metric,
});

/** The route to exactly a prefix, if it is of another protocol. */
export function ownRoute({ routes4 }: Tables, { network, length }: Prefix): OwnRoute | undefined {
  const route = routes4.candidates(network, length).find(({ source }) => source !== "bgp");
  return route && toOwn(route);
}

/** The routes of a source that are in use, one of each prefix. */
export function routesOf({ routes4 }: Tables, source: string): OwnRoute[] {
  const seen = new Set<string>();
  return routes4.list().flatMap((route) => {
    const key = `${route.network}/${route.prefixLength}`;
    if (route.source !== source || seen.has(key)) return [];
    seen.add(key);
    return [toOwn(route)];
  });
}

/** Whether an address is on the subnet of the interface that has `source`. */
export const isOnLink = ({ ports }: Tables, address: number, source: number): boolean =>
  ports.some(({ ipv4 }) => ipv4?.address === source && contains4(ipv4, address));
