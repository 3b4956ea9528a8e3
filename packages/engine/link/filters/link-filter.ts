/**
 * The interface of link filters: one object per link direction, called once for every packet that enters.
 *
 * A verdict is a small number; its data is in the packet's `Passage`, so that no filter allocates.
 */

/** The packet passes unchanged. */
export const PASS = 0;
/** The packet is lost. */
export const DROP = 1;
/** The packet passes with other bytes: the filter has set `passage.data` to a new array. */
export const REPLACE = 2;
/** The packet passes later: the filter has increased `passage.delayNs`. */
export const HOLD = 3;

export type Verdict = typeof PASS | typeof DROP | typeof REPLACE | typeof HOLD;

/** A packet in a chain. One object serves all packets, so a filter must not keep it. */
export interface Passage {
  /** The captured bytes, which are shared: a filter that changes them sets a new array. */
  data: Uint8Array;
  /** Length on the wire in bytes; more than `data.length` if the capture truncated the packet. */
  wireLength: number;
  /** How long the packet is held, in nanoseconds; an integer, never negative. */
  delayNs: number;
}

/** A generator's position or a counter, as plain JSON data. */
export type FilterState = { packets: number } | { stream: readonly number[] };

/**
 * One filter of one link direction. For every packet the chain calls exactly one of `decide` and `skip`. Both advance the
 * filter's counters and generator equally, so what a filter does to the n-th packet never depends on other filters.
 */
export interface LinkFilter {
  readonly type: FilterType;
  /** Returns the verdict; with REPLACE and HOLD it has changed the passage. */
  decide(passage: Passage): Verdict;
  /** Called if an earlier filter has dropped the packet: advances as `decide` would, without changing the passage. */
  skip(passage: Passage): void;
  /** Returns the filter's position; undefined for a filter without state. */
  saveState(): FilterState | undefined;
}

/** Filters in the order in which a packet passes them. */
export const FILTER_ORDER = ["suspend", "frequency_drop", "packet_loss", "bpf", "corrupt", "delay"] as const;

export type FilterType = (typeof FILTER_ORDER)[number];

/** Returns whether a packet matches an expression; `wireLength` is its length on the wire in bytes. */
export type PacketPredicate = (packet: Uint8Array, wireLength: number) => boolean;
