/** One impairment that decides about each packet as it enters. */
import type { ImpairmentType } from "../report.ts";
import type { WirePacket } from "../wire-packet.ts";

export const PASS = 0;
export const DROP = 1;
/** Marked instead of dropped. */
export const MARK = 2;
/** `packet.data` is another array. */
export const DAMAGE = 3;
/** The packet is sent twice. */
export const COPY = 4;
/** `packet.holdNs` has increased. */
export const HOLD = 5;

export type Verdict = typeof PASS | typeof DROP | typeof MARK | typeof DAMAGE | typeof COPY | typeof HOLD;

/** For every packet, exactly one of `decide` and `skip` is called; both advance the impairment's streams and counters equally. */
export interface Stage {
  readonly type: ImpairmentType;
  decide(packet: WirePacket): Verdict;
  skip(): void;
  /** Plain JSON data; undefined without state. */
  saveState(): unknown;
}
