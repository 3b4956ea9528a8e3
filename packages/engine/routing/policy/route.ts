/** A route that a policy judges, and what a policy knows of it. A protocol makes one of its own route, and reads the result. */
import type { Prefix4, Prefix6 } from "../../net/address/prefix.ts";

/** Whose route it is: as in FRR, a protocol ignores the clauses of a route map that it does not have. */
export type Judge = "zebra" | "ospf" | "rip" | "bgp";

/** FRR's names of the sources of routes. */
export const PROTOCOLS = ["bgp", "connected", "kernel", "ospf", "ospf6", "rip", "ripng", "static"] as const;
export type Protocol = (typeof PROTOCOLS)[number];

export interface JudgedRoute {
  readonly prefix: Prefix4 | Prefix6;
  readonly protocol: Protocol;
  /** In BGP, the attribute MULTI_EXIT_DISC; null if the route has none. */
  readonly metric: number | null;
  /** A route map has set the metric. */
  readonly isMetricSet?: true;
  readonly tag: number;
  readonly nextHop?: number | bigint | undefined;
  readonly linkLocal?: bigint | undefined;
  /** The name of the interface of the next hop. */
  readonly interface?: string | undefined;
  readonly isBlackhole?: boolean;
  /** Of external routes of OSPF. */
  readonly metricType?: "1" | "2" | undefined;
  readonly distance?: number | undefined;
  /** What `set ip next-hop peer-address` and `unchanged` ask for; the session knows the address. */
  readonly nextHopRule?: "peer-address" | "unchanged" | undefined;
  readonly bgp?: BgpAttributes | undefined;
}

/** The attributes of BGP (wire/bgp-attributes.ts) that policies read and write, and facts about the session. */
export interface BgpAttributes {
  readonly origin: number;
  readonly asPath: readonly PathSegment[];
  readonly localPreference: number | null;
  readonly weight: number;
  /** Sorted, each once. */
  readonly communities: readonly number[];
  readonly largeCommunities: readonly LargeCommunity[];
  readonly extendedCommunities: readonly ExtendedCommunity[];
  readonly isAtomicAggregate: boolean;
  readonly aggregator: { readonly system: number; readonly address: number } | null;
  readonly originatorId: number | null;
  /** The neighbour's address or interface; `local` for routes of the router. */
  readonly peer?: string | undefined;
  readonly peerAs?: number | undefined;
}

export interface PathSegment {
  /** 1 set, 2 sequence, 3 sequence and 4 set of a confederation. */
  readonly type: number;
  readonly systems: readonly number[];
}

export type LargeCommunity = readonly [global: number, first: number, second: number];
export type ExtendedCommunity = readonly [high: number, low: number];
