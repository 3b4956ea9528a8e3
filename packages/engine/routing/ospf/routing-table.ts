/** The routes of OSPF (RFC 2328, section 11). */

/** Where packets leave. */
export interface PathHop {
  /** The index of the interface. */
  readonly port: number;
  /** Undefined if the network is attached. */
  readonly via: number | undefined;
}

/** From the most to the least preferred (section 11). */
export const PATH_KINDS = ["intra", "inter", "external1", "external2"] as const;
export type PathKind = (typeof PATH_KINDS)[number];

interface Path {
  readonly kind: PathKind;
  /** Of external paths of type 2: the cost to the boundary router. */
  readonly cost: number;
  /** The area by way of which the path is; of external ones, of the path to the boundary router. */
  readonly areaId: number;
  readonly hops: readonly PathHop[];
}

export interface PrefixRoute extends Path {
  readonly network: number;
  readonly prefixLength: number;
  /** Of external paths of type 2, which it decides before `cost`; else 0. */
  readonly type2Cost: number;
  readonly tag: number;
}

export interface RouterRoute extends Path {
  readonly id: number;
  readonly kind: "intra" | "inter";
  readonly isBorder: boolean;
  readonly isBoundary: boolean;
}

export interface RoutingTable {
  /** By `prefixKey`. */
  readonly prefixes: ReadonlyMap<number, PrefixRoute>;
  /** The border routers of each area. */
  readonly borders: readonly RouterRoute[];
  /** The best path to each boundary router, by its id. */
  readonly boundaries: ReadonlyMap<number, RouterRoute>;
}

export const NO_ROUTES: RoutingTable = { prefixes: new Map(), borders: [], boundaries: new Map() };

export const prefixKey = (network: number, prefixLength: number): number => network * 64 + prefixLength;

/** The hops of two paths that are as good as each other. */
export function mergeHops(one: readonly PathHop[], other: readonly PathHop[]): readonly PathHop[] {
  const added = other.filter(({ port, via }) => !one.some((each) => each.port === port && each.via === via));
  if (added.length === 0) return one;
  return [...one, ...added].sort((a, b) => a.port - b.port || (a.via ?? 0) - (b.via ?? 0));
}
