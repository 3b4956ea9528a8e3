/**
 * Path attributes of BGP-4 (RFC 4271, section 4.3; RFC 1997, 4360, 4456, 6793, 8092), as a router keeps them.
 *
 *     flags (1)  type (1)  length (1; with the flag `extended` 2)  value
 *
 * Attributes are the same object for all routes that came with them, and callers must not modify them. They have no next hop and no prefixes,
 * which belong to an update (`bgp-update.ts`). `bgp-read-attributes.ts` reads them, `bgp-write-attributes.ts` writes them.
 */

export const ATTRIBUTE = {
  origin: 1,
  asPath: 2,
  nextHop: 3,
  med: 4,
  localPreference: 5,
  atomicAggregate: 6,
  aggregator: 7,
  communities: 8,
  originatorId: 9,
  clusterList: 10,
  reach: 14,
  unreach: 15,
  extendedCommunities: 16,
  as4Path: 17,
  as4Aggregator: 18,
  largeCommunities: 32,
} as const;

export const ATTRIBUTE_FLAG = { optional: 0x80, transitive: 0x40, partial: 0x20, extended: 0x10 } as const;

export const ORIGIN = { igp: 0, egp: 1, incomplete: 2 } as const;

/** RFC 4271, section 4.3; RFC 5065, section 3. */
export const SEGMENT = { set: 1, sequence: 2, confederationSequence: 3, confederationSet: 4 } as const;

/** Stands for an AS number of 4 bytes in the fields of 2 bytes (RFC 6793). */
export const AS_TRANS = 23_456;

/** RFC 1997; RFC 7999; RFC 8326. */
export const COMMUNITY = {
  noExport: 0xffff_ff01,
  noAdvertise: 0xffff_ff02,
  localAs: 0xffff_ff03,
  blackhole: 0xffff_029a,
  gracefulShutdown: 0xffff_0000,
} as const;

export interface AsSegment {
  readonly type: number;
  readonly systems: readonly number[];
}

export interface Aggregator {
  readonly system: number;
  readonly address: number;
}

/** The words of an extended community, the most significant first. */
export type ExtendedCommunity = readonly [high: number, low: number];
export type LargeCommunity = readonly [global: number, first: number, second: number];

/** An attribute that this codec does not know. */
export interface UnknownAttribute {
  readonly flags: number;
  readonly type: number;
  readonly value: Uint8Array;
}

/** The three kinds of communities are sets in ascending order. */
export interface PathAttributes {
  readonly origin: number;
  readonly asPath: readonly AsSegment[];
  readonly med: number | null;
  readonly localPreference: number | null;
  readonly isAtomicAggregate: boolean;
  readonly aggregator: Aggregator | null;
  readonly communities: readonly number[];
  readonly extendedCommunities: readonly ExtendedCommunity[];
  readonly largeCommunities: readonly LargeCommunity[];
  readonly originatorId: number | null;
  readonly clusterList: readonly number[];
  /** Transitive ones, which a router passes on with the flag `partial`. */
  readonly unknown: readonly UnknownAttribute[];
}

/** The attributes of a route that a router originates. */
export const LOCAL_ATTRIBUTES: PathAttributes = {
  origin: ORIGIN.igp,
  asPath: [],
  med: null,
  localPreference: null,
  isAtomicAggregate: false,
  aggregator: null,
  communities: [],
  extendedCommunities: [],
  largeCommunities: [],
  originatorId: null,
  clusterList: [],
  unknown: [],
};
