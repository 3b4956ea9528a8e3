/** What a connection knows of losses and their repair: plain JSON data. */
import type { Hystart } from "./hystart.ts";

/** DupThresh of RFC 5681. */
export const DUPLICATE_THRESHOLD = 3;

/** The repair of losses: recovery.ts. */
export interface Recovery {
  readonly kind: "fast" | "timeout";
  /** It ends with the acknowledgement of this position. */
  readonly point: number;
  /** Present in a fast recovery with SACK: proportional-rate.ts. */
  readonly proportion?: Proportion;
}

/** The bytes that have arrived and that were sent since the recovery began, and those in flight at its beginning. */
export interface Proportion {
  arrivedBytes: number;
  sentBytes: number;
  readonly flightBytes: number;
}

/** What RACK knows: rack.ts. The names of RFC 8985 are in the comments. */
export interface Rack {
  /** The last sending of all that have arrived, in place of RACK.xmit_ts and RACK.end_seq. Absent before the first. */
  lastSerial?: number | undefined;
  /** RACK.rtt: the round trip of the last segment that arrived. */
  roundTripUs: number;
  /** RACK.min_RTT, and when it was measured. */
  least?: { readonly us: number; readonly atUs: number } | undefined;
  /** RACK.fack: the highest position that has arrived. */
  highest: number;
  /** RACK.reordering_seen */
  isReordering: boolean;
  /** RACK.reo_wnd_mult and RACK.reo_wnd_persist */
  multiplier: number;
  persistence: number;
  /** RACK.dsack_round: a D-SACK counts again when this position is acknowledged. */
  roundEnd?: number | undefined;
  /** The furthest that a segment was overtaken, in segments. */
  degree: number;
  /** Segments that the peer has reported as duplicates. */
  duplicates: number;
}

export const makeRack = (): Rack => ({
  roundTripUs: 0,
  highest: 0,
  isReordering: false,
  multiplier: 1,
  persistence: 0,
  degree: DUPLICATE_THRESHOLD,
  duplicates: 0,
});

/** What is known of the last reduction, for as long as it can be undone: undo.ts. */
export interface Undo {
  /** SND.UNA when it began: a D-SACK below is of an earlier one. */
  readonly from: number;
  readonly windowBytes: number;
  readonly thresholdBytes?: number | undefined;
  /** Present if the reduction ended a first slow start with HyStart++, which then goes on. */
  readonly hystart?: Hystart | undefined;
  /** Retransmissions without a D-SACK; absent before the first. */
  pending?: number | undefined;
  /** The timestamp of the first retransmission; absent before it, and after the recovery. */
  firstStamp?: number | undefined;
}

/** A probe that is not answered yet: tail-probe.ts. */
export interface Probe {
  /** TLP.end_seq */
  readonly end: number;
  /** TLP.is_retrans */
  readonly isResent: boolean;
}
