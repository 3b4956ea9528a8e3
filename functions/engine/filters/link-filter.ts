/**
 * What a link filter is: one object per link direction, asked once about every packet that enters it.
 *
 * A verdict is a small number, and what goes with it travels in the packet's `Passage`, so that no filter allocates.
 */

/** The packet goes on unchanged. */
export const PASS = 0;
/** The packet is lost. */
export const DROP = 1;
/** The packet goes on with other bytes: the filter has set `passage.data` to a new array. */
export const REPLACE = 2;
/** The packet goes on later: the filter has added to `passage.delayNs`. */
export const HOLD = 3;

export type Verdict = typeof PASS | typeof DROP | typeof REPLACE | typeof HOLD;

/** A packet on its way through a chain. One object serves all packets, so a filter must not keep it. */
export interface Passage {
  /** The captured bytes. Shared with others: a filter that changes them sets a new array. */
  data: Uint8Array;
  /** Length on the wire in bytes; more than `data.length` when the capture cut the packet short. */
  wireLength: number;
  /** How long the packet is held, in nanoseconds; an integer, never negative. */
  delayNs: number;
}

/** A generator's position or a counter, as plain data fit for JSON. */
export type FilterState = { packets: number } | { stream: readonly number[] };

/**
 * One filter of one link direction. For every packet exactly one of `decide` and `skip` is called, and both move the
 * filter's counters and generator equally: what a filter does to the n-th packet never depends on other filters.
 */
export interface LinkFilter {
  readonly type: FilterType;
  /** Judges the packet; with REPLACE and HOLD it has changed the passage. */
  decide(passage: Passage): Verdict;
  /** An earlier filter has dropped the packet: moves on as `decide` would, and changes nothing in the passage. */
  skip(passage: Passage): void;
  /** Where the filter stands; undefined for one without memory. */
  saveState(): FilterState | undefined;
}

/** Filters in the order a packet meets them. */
export const FILTER_ORDER = ["suspend", "frequency_drop", "packet_loss", "bpf", "corrupt", "delay"] as const;

export type FilterType = (typeof FILTER_ORDER)[number];

/** Whether a packet matches an expression; `wireLength` is its length on the wire in bytes. */
export type PacketPredicate = (packet: Uint8Array, wireLength: number) => boolean;
