/** The table of all routes (Loc-RIB): the best of each prefix, which neighbours and the router's table get. */
import type { NextHop } from "../../net/fib/route.ts";
import { queueFor } from "./advertise.ts";
import type { RouteAttributes } from "./attributes.ts";
import { decide, isInternal, type Judge } from "./decision.ts";
import { resolve, touchesNextHops } from "./next-hops.ts";
import { type Prefix, prefixKey } from "./prefix.ts";
import type { Bgp, Entry, Neighbour, Path } from "./state.ts";

/** Sets the route of a neighbour, or of the router itself; undefined takes it away. */
export function setPath(
  bgp: Bgp,
  prefix: Prefix,
  neighbour: Neighbour | undefined,
  path: { readonly attributes: RouteAttributes; readonly weight: number } | undefined,
): void {
  const key = prefixKey(prefix);
  const entry = bgp.table.get(key) ?? newEntry(prefix);
  const at = entry.paths.findIndex((each) => each.neighbour === neighbour);
  const before = entry.paths[at];
  if (path === undefined) {
    if (before === undefined) return;
    entry.paths.splice(at, 1);
  } else if (before?.attributes === path.attributes && before.weight === path.weight) return;
  else {
    const added = { ...path, neighbour, sinceUs: bgp.host.nowUs, order: ++bgp.nextOrder };
    if (before === undefined) entry.paths.unshift(added);
    else {
      entry.paths[at] = added;
      // What replaces the best route is as old as that.
      if (entry.best === before) entry.best = added;
    }
    bgp.table.set(key, entry);
  }
  bgp.changed.add(key);
}

const newEntry = ({ network, length }: Prefix): Entry => ({
  network,
  length,
  paths: [],
  best: undefined,
  told: undefined,
  multipath: [],
  reason: undefined,
  isInstalled: false,
});

/** Chooses the best routes of the prefixes that have changed. */
export function settle(bgp: Bgp): void {
  if (bgp.changed.size === 0) return;
  const keys = [...bgp.changed];
  bgp.changed.clear();
  const moved: number[] = [];
  for (const key of keys) {
    const entry = bgp.table.get(key);
    if (entry === undefined) continue;
    const before = entry.best;
    choose(bgp, entry);
    if (entry.best !== before) moved.push(key);
    if (entry.told !== entry.best) queueFor(bgp, key);
    entry.told = entry.best;
  }
  if (touchesNextHops(bgp, moved)) bgp.timers.begin("routes", 0, bgp.host.nowUs, true);
  for (const key of keys)
    if (bgp.table.get(key)?.paths.length === 0) {
      bgp.table.delete(key);
      bgp.isFull = false;
    }
  bgp.interning.sweep(() => usedAttributes(bgp));
}

function choose(bgp: Bgp, entry: Entry): void {
  const usable = entry.paths.filter((path) => isUsable(bgp, path));
  const decision = decide(usable, judgeOf(bgp, entry.best), bgp.config.maximumPaths);
  entry.best = decision?.best;
  entry.multipath = decision?.multipath ?? [];
  entry.reason = decision?.reason;
  if (entry.best?.neighbour !== undefined) {
    install(bgp, entry);
    entry.isInstalled = true;
  } else if (entry.isInstalled) {
    bgp.host.remove(entry);
    entry.isInstalled = false;
  }
}

/** Puts the best routes of neighbours in the router's table. */
export function install(bgp: Bgp, { network, length, best, multipath }: Entry): void {
  if (best === undefined) return;
  const { distances } = bgp.config;
  bgp.host.install({
    network,
    length,
    distance: isInternal(best) ? distances.internal : distances.external,
    metric: best.attributes.med ?? 0,
    hops: hopsOf(bgp, multipath),
  });
}

export const judgeOf = (bgp: Bgp, before: Path | undefined): Judge => ({
  config: bgp.config.bestPath,
  metricOf: ({ neighbour, attributes }) =>
    neighbour === undefined ? 0 : (resolve(bgp, attributes.nextHop)?.metric ?? 0),
  idOf: ({ neighbour }) => neighbour?.identifier ?? bgp.config.routerId,
  before,
});

/** Whether the next hop of a route can be reached. */
export function isUsable(bgp: Bgp, { neighbour, attributes }: Path): boolean {
  if (neighbour === undefined) return true;
  const way = resolve(bgp, attributes.nextHop);
  return way !== undefined && (way.isConnected || !neighbour.config.mustBeConnected);
}

/** The ways to the next hops. */
function hopsOf(bgp: Bgp, paths: readonly Path[]): NextHop<number>[] {
  const hops = new Map<string, NextHop<number>>();
  for (const { attributes } of paths)
    for (const { port, via, reject } of resolve(bgp, attributes.nextHop)?.hops ?? []) {
      const hop = {
        port,
        via: via ?? (reject === undefined ? attributes.nextHop : undefined),
        ...(reject && { reject }),
      };
      hops.set(`${port} ${hop.via}`, hop);
    }
  return [...hops.values()];
}

function usedAttributes(bgp: Bgp): ReadonlySet<RouteAttributes> {
  const used = new Set<RouteAttributes>();
  for (const { paths } of bgp.table.values()) for (const { attributes } of paths) used.add(attributes);
  for (const { received, sent } of bgp.neighbours.values()) {
    for (const attributes of received.values()) used.add(attributes);
    for (const attributes of sent.values()) used.add(attributes);
  }
  return used;
}
