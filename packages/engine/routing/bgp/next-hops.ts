/** What next hops of routes are resolved to, and which routes change with that (next-hop tracking). */
import { containsAddress, prefixKey } from "./prefix.ts";
import type { Bgp, Resolved } from "./state.ts";

export function resolve(bgp: Bgp, address: number): Resolved | undefined {
  const { nextHops } = bgp;
  if (nextHops.has(address)) return nextHops.get(address);
  const way = resolveNow(bgp, address);
  nextHops.set(address, way);
  return way;
}

/** The way may use a route of BGP whose own next hop needs none: so no two routes are each other's way. */
function resolveNow({ host, table }: Bgp, address: number): Resolved | undefined {
  return host.resolve(address, (prefix) => {
    const hop = table.get(prefixKey(prefix))?.best?.attributes.nextHop;
    return hop !== undefined && hop !== address && host.resolve(hop, () => false) !== undefined;
  });
}

/** Whether routes of BGP that have changed may be on the way to a next hop. */
export const touchesNextHops = ({ nextHops, table }: Bgp, keys: readonly number[]): boolean => {
  if (nextHops.size === 0) return false;
  const addresses = [...nextHops.keys()].sort((a, b) => a - b);
  return keys.some((key) => {
    const entry = table.get(key);
    return entry !== undefined && containsAddress(addresses, entry);
  });
};

/** The router's table has changed: resolves anew, and lets the routes of other ways be chosen among anew. */
export function trackNextHops(bgp: Bgp): void {
  const changed = new Set<number>();
  for (const [address, before] of bgp.nextHops) {
    const now = resolveNow(bgp, address);
    if (isSame(before, now)) continue;
    bgp.nextHops.set(address, now);
    changed.add(address);
  }
  if (changed.size === 0) return;
  const used = new Set<number>();
  for (const entry of bgp.table.values())
    for (const { attributes } of entry.paths) {
      used.add(attributes.nextHop);
      if (changed.has(attributes.nextHop)) bgp.changed.add(prefixKey(entry));
    }
  for (const address of bgp.nextHops.keys()) if (!used.has(address)) bgp.nextHops.delete(address);
}

const isSame = (a: Resolved | undefined, b: Resolved | undefined): boolean => {
  if (a === undefined || b === undefined) return a === b;
  return (
    a.metric === b.metric &&
    a.isConnected === b.isConnected &&
    a.hops.length === b.hops.length &&
    a.hops.every(({ port, via, reject }, index) => {
      const other = b.hops[index]!;
      return other.port === port && other.via === via && other.reject === reject;
    })
  );
};
