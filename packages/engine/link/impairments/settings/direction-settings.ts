/** Checked impairments of one direction, in the units of the engine. */
import type { PacketPredicate } from "../../filters/link-filter.ts";

/** One thousand million: a chance of 1. */
export const PPB = 1_000_000_000;

/** A chance in parts per billion, and the correlation of its outcome with the last one's. */
export interface Chance {
  readonly chance: number;
  readonly correlation: number;
}

/** Gilbert-Elliott: chances of good -> bad, bad -> good, and of loss in each state. */
export interface GilbertElliott {
  readonly p: number;
  readonly r: number;
  readonly "1-h": number;
  readonly "1-k": number;
}

/** Four states: 1 received, 2 received in a burst, 3 lost in a burst, 4 lost alone. */
export interface Markov {
  readonly p13: number;
  readonly p31: number;
  readonly p32: number;
  readonly p23: number;
  readonly p14: number;
}

export interface Loss {
  readonly random?: Chance;
  readonly gilbert_elliott?: GilbertElliott;
  readonly markov?: Markov;
  /** Ranges of packet numbers, from 1. */
  readonly listed?: readonly (readonly [from: number, to: number])[];
  /** Marks packets that can carry a mark instead of dropping them. */
  readonly ecn?: boolean;
}

export interface Corrupt extends Chance {
  /** Bits to flip, or bytes to overwrite. */
  readonly bits?: number;
  readonly bytes?: number;
  readonly crc: "deliver" | "drop";
}

export interface Rate {
  /** Bits a second. */
  readonly rate: number;
  /** Bytes that each packet has in addition on the wire; negative if it has fewer. */
  readonly overhead: number;
  /** Bytes of a cell's payload; 0 without cells. */
  readonly cell_size: number;
  readonly cell_overhead: number;
  /** Bytes of a token bucket; 0 for a line that sends bit after bit. */
  readonly burst: number;
  /** Bits a second at which a burst leaves; 0 for no bound. */
  readonly peak_rate: number;
  /** Times of delivery opportunities in nanoseconds (mahimahi); `rate` has no effect then. */
  readonly opportunities?: readonly number[];
}

export const DISCIPLINES = ["drop_tail", "red", "codel", "fq_codel"] as const;
export type DisciplineName = (typeof DISCIPLINES)[number];

export interface Queue {
  readonly discipline: DisciplineName;
  /** Packets. */
  readonly limit: number;
  /** Bytes; 0 for no bound. */
  readonly limit_bytes: number;
  readonly ecn: boolean;
  /** CoDel: nanoseconds. */
  readonly target: number;
  readonly interval: number;
  /** fq_codel. */
  readonly flows: number;
  readonly quantum: number;
  readonly drop_batch: number;
  /** RED: bytes; the chance at `max` in parts per billion; the weight of a sample in the average. */
  readonly min: number;
  readonly max: number;
  readonly probability: number;
  readonly weight: number;
  readonly avpkt: number;
}

export const DISTRIBUTIONS = ["uniform", "normal", "pareto", "paretonormal", "table"] as const;
export type DistributionName = (typeof DISTRIBUTIONS)[number];

export interface Delay {
  /** Nanoseconds. */
  readonly delay: number;
  readonly jitter: number;
  readonly distribution: DistributionName;
  /** Values of the distribution in 8192ths of the jitter. */
  readonly table?: readonly number[];
  readonly correlation: number;
  readonly keep_order: boolean;
}

export interface Reorder extends Chance {
  readonly gap: number;
}

/** The largest network packet. */
export interface LargestPacket {
  readonly bytes: number;
  /** `icmp`: a device with `refused` that sends into the link knows `bytes`, and handles larger packets. */
  readonly larger: "drop" | "icmp";
}

export interface Slots {
  /** Nanoseconds between slots. */
  readonly min_delay: number;
  readonly max_delay: number;
  /** The most packets in one slot; 0 for no bound. */
  readonly packets: number;
  readonly bytes: number;
}

/** Absent impairments do nothing. */
export interface DirectionSettings {
  /** The fibre of this direction is broken: nothing arrives, and neither end sees it. */
  readonly broken?: boolean;
  readonly drop?: { readonly filter: string; readonly predicates: readonly PacketPredicate[] };
  readonly mtu?: LargestPacket;
  readonly loss?: Loss;
  readonly bit_error_rate?: number;
  readonly duplicate?: Chance;
  readonly corrupt?: Corrupt;
  readonly rate?: Rate;
  readonly queue?: Queue;
  readonly delay?: Delay;
  readonly reorder?: Reorder;
  readonly slots?: Slots;
}

/** What one direction has at a moment. */
export interface LinkSettings {
  readonly carrier: "up" | "down";
  readonly "a-to-b": DirectionSettings;
  readonly "b-to-a": DirectionSettings;
}

/** The settings from a moment on. */
export interface SettingsChange {
  /** Lab time since the impairments were set, in nanoseconds. */
  readonly atNs: number;
  readonly settings: LinkSettings;
}

/** Compiled impairments of a link. */
export interface Impairments {
  readonly initial: LinkSettings;
  /** In order of time. */
  readonly changes: readonly SettingsChange[];
  /** The length of one cycle if the changes repeat; 0 if they do not. */
  readonly repeatNs: number;
}

export const NO_IMPAIRMENTS: Impairments = {
  initial: { carrier: "up", "a-to-b": {}, "b-to-a": {} },
  changes: [],
  repeatNs: 0,
};
