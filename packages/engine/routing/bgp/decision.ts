/**
 * Which of the routes to a prefix is used (RFC 4271, section 9.1.2; RFC 4456, section 9), in the order of FRR's steps:
 *
 *     weight, local preference, own route, AS path, origin, MED, external, metric of the next hop, cluster list of internal routes,
 *     (multipath), the older of external ones, router id, cluster list, address of the neighbour
 */

import { asPathLength } from "../../wire/bgp-as-path.ts";
import type { BestPathConfig } from "./config.ts";
import { firstOf } from "./paths.ts";
import type { Path } from "./state.ts";

const WORST_MED = 0xffff_ffff;

/** What decides beside the paths. */
export interface Judge {
  readonly config: BestPathConfig;
  /** The metric to the next hop of a path. */
  readonly metricOf: (path: Path) => number;
  /** The router id of the neighbour that has announced a path. */
  readonly idOf: (path: Path) => number;
  /** The path that was best before. */
  readonly before: Path | undefined;
}

/** Negative if `a` is better. @param reason the step that decides, in FRR's words. */
export interface Comparison {
  readonly order: number;
  readonly reason: string;
  /** Nothing but the last steps decides: the paths may share packets. */
  readonly isEqual: boolean;
}

export const isExternal = ({ neighbour }: Path): boolean =>
  neighbour !== undefined && !neighbour.config.isInternal;
export const isInternal = ({ neighbour }: Path): boolean => neighbour?.config.isInternal === true;

export function compare(a: Path, b: Path, judge: Judge): Comparison {
  const { config } = judge;
  const decided = (order: number, reason: string): Comparison => ({ order, reason, isEqual: false });
  const [one, other] = [a.attributes, b.attributes];
  if (a.weight !== b.weight) return decided(b.weight - a.weight, "Weight");
  const preference =
    (other.localPreference ?? config.defaultLocalPreference) -
    (one.localPreference ?? config.defaultLocalPreference);
  if (preference !== 0) return decided(preference, "Local Pref");
  if ((a.neighbour === undefined) !== (b.neighbour === undefined))
    return decided(a.neighbour === undefined ? -1 : 1, "Local Route");
  const length = config.ignoresAsPath ? 0 : asPathLength(one.asPath) - asPathLength(other.asPath);
  if (length !== 0) return decided(length, "AS Path");
  if (one.origin !== other.origin) return decided(one.origin - other.origin, "Origin");
  const med = hasComparableMed(a, b, config) ? medOf(a, config) - medOf(b, config) : 0;
  if (med !== 0) return decided(med, "MED");
  if (isInternal(a) !== isInternal(b)) return decided(isInternal(a) ? 1 : -1, "Peer Type");
  const metric = judge.metricOf(a) - judge.metricOf(b);
  if (metric !== 0) return decided(metric, "IGP Metric");
  const clusters = one.clusterList.length - other.clusterList.length;
  if (isInternal(a) && clusters !== 0) return decided(clusters, "Cluster length");
  return { ...compareLast(a, b, judge), isEqual: mayShare(a, b, config) };
}

function compareLast(
  a: Path,
  b: Path,
  { config, before, idOf }: Judge,
): Pick<Comparison, "order" | "reason"> {
  if (!config.comparesRouterId && isExternal(a) && isExternal(b)) {
    if (a === before) return { order: -1, reason: "Older Path" };
    if (b === before) return { order: 1, reason: "Older Path" };
  }
  const id = originatorOf(a, idOf) - originatorOf(b, idOf);
  if (id !== 0) return { order: id, reason: "Router ID" };
  const clusters = a.attributes.clusterList.length - b.attributes.clusterList.length;
  if (clusters !== 0) return { order: clusters, reason: "Cluster length" };
  return { order: addressOf(a) - addressOf(b), reason: "Neighbor IP" };
}

/** RFC 4271, section 9.1.2.2 c: values of one neighbouring AS; as FRR, also of routes from within the own AS. */
function hasComparableMed(a: Path, b: Path, { alwaysCompareMed }: BestPathConfig): boolean {
  return alwaysCompareMed || firstOf(a.attributes.asPath) === firstOf(b.attributes.asPath);
}

const medOf = ({ attributes: { med } }: Path, { missingMedIsWorst }: BestPathConfig): number =>
  med ?? (missingMedIsWorst ? WORST_MED : 0);

const originatorOf = (path: Path, idOf: Judge["idOf"]): number => path.attributes.originatorId ?? idOf(path);
const addressOf = ({ neighbour }: Path): number => neighbour?.config.address ?? 0;

/** As FRR: external paths of one neighbouring AS, or of any with `multipath-relax`; internal ones with one AS path. */
function mayShare(a: Path, b: Path, { relaxesMultipath }: BestPathConfig): boolean {
  if (a.neighbour === undefined || b.neighbour === undefined) return false;
  if (relaxesMultipath) return true;
  if (isInternal(a)) return JSON.stringify(a.attributes.asPath) === JSON.stringify(b.attributes.asPath);
  return a.neighbour.remoteAs === b.neighbour.remoteAs;
}

export interface Decision {
  readonly best: Path;
  /** Why it beats the second one; undefined if it is the only one. */
  readonly reason: string | undefined;
  readonly multipath: readonly Path[];
}

/**
 * @param paths that may be used, the last one first.
 * @param most the numbers of external and internal paths that may share packets.
 */
export function decide(
  paths: readonly Path[],
  judge: Judge,
  most: { readonly external: number; readonly internal: number },
): Decision | undefined {
  const [best, ...others] = inOrder(paths, judge);
  if (best === undefined) return undefined;
  const limit = isInternal(best) ? most.internal : most.external;
  const alike = others.filter((path) => compare(best, path, judge).isEqual);
  const [second] = others;
  return {
    best,
    reason: second && compare(best, second, judge).reason,
    multipath: [best, ...differentHops(best, alike).slice(0, limit - 1)],
  };
}

/** The best one first, then the second. MED does not order all paths, so each is compared with the best one so far, as in FRR. */
function inOrder(paths: readonly Path[], judge: Judge): Path[] {
  const candidates = judge.config.deterministicMed ? bestOfEach(paths, judge) : paths;
  const best = bestOf(candidates, judge);
  if (best === undefined) return [];
  const rest = paths.filter((path) => path !== best);
  const second = bestOf(rest, judge);
  return second === undefined ? [best] : [best, second, ...rest.filter((path) => path !== second)];
}

const bestOf = (paths: readonly Path[], judge: Judge): Path | undefined => {
  let best = paths[0];
  for (const path of paths) if (path !== best && compare(path, best!, judge).order < 0) best = path;
  return best;
};

/** The best path of each neighbouring AS. */
const bestOfEach = (paths: readonly Path[], judge: Judge): Path[] => [
  ...new Set(
    [...Map.groupBy(paths, ({ attributes }) => firstOf(attributes.asPath)).values()].map(
      (group) => bestOf(group, judge)!,
    ),
  ),
];

/** The paths by other next hops, in the order of these. */
function differentHops(best: Path, paths: readonly Path[]): Path[] {
  const byHop = new Map<number, Path>();
  for (const path of paths) {
    const { nextHop } = path.attributes;
    if (nextHop !== best.attributes.nextHop && !byHop.has(nextHop)) byHop.set(nextHop, path);
  }
  return [...byHop].sort(([a], [b]) => a - b).map(([, path]) => path);
}
