/** What the impairments of one direction did in a run. */

/** In the order in which a packet passes them. */
export const IMPAIRMENT_TYPES = [
  "carrier",
  "broken",
  "drop",
  "mtu",
  "loss.random",
  "loss.gilbert_elliott",
  "loss.markov",
  "loss.listed",
  "bit_error_rate",
  "duplicate",
  "corrupt",
  "delay",
  "reorder",
  "queue.full",
  "queue.red",
  "queue.codel",
  "run_end",
] as const;

export type ImpairmentType = (typeof IMPAIRMENT_TYPES)[number];

/** Packets that reached an impairment, and what it did to them. */
export interface ImpairmentCounts {
  readonly type: ImpairmentType;
  seen: number;
  dropped: number;
  marked: number;
  corrupted: number;
  duplicated: number;
  held: number;
}

/** Percentiles by nearest rank, to 1 in 64. */
export interface Percentiles {
  readonly p50: number;
  readonly p90: number;
  readonly p99: number;
  readonly max: number;
}

export interface QueueReport {
  /** Packets in the queue at the report. */
  readonly packets: number;
  readonly bytes: number;
  /** The length that each packet found when it joined the queue; null if none did. */
  readonly lengthPackets: Percentiles | null;
  readonly lengthBytes: Percentiles | null;
  /** Time from joining the queue to leaving it, in milliseconds. */
  readonly sojournMs: Percentiles | null;
}

export interface Amount {
  readonly packets: number;
  readonly bytes: number;
}

/** entered + duplicated + restored = delivered + dropped + in flight. */
export interface ImpairmentReport {
  readonly counts: readonly ImpairmentCounts[];
  /** Copies that `duplicate` made. */
  readonly duplicated: Amount;
  /** Packets that were on their way at the end of the run before. */
  readonly restored: Amount;
  /** Undefined if the direction had no rate. */
  readonly queue: QueueReport | undefined;
}

export const makeCounts = (type: ImpairmentType): ImpairmentCounts => ({
  type,
  seen: 0,
  dropped: 0,
  marked: 0,
  corrupted: 0,
  duplicated: 0,
  held: 0,
});
