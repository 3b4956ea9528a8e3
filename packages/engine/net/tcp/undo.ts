/**
 * Takes back a reduction of the window that was wrong, because what seemed lost had only been overtaken or delayed. Two proofs:
 *
 * - The acknowledgement that ends or advances the recovery echoes a timestamp from before the first retransmission (the Eifel
 *   detection, RFC 3522).
 * - The peer reports each retransmission as a duplicate by D-SACK (RFC 3708, section 3).
 *
 * RFC 4015 has the response: window and threshold become what they were.
 */
import { withdrawReduction } from "./ecn.ts";
import { unmarkLost } from "./flight.ts";
import { resumeRound } from "./hystart.ts";
import { sequenceOf } from "./position.ts";
import type { Range } from "./ranges.ts";
import type { Tcb } from "./tcb.ts";

/** The timestamp clock ticks once a millisecond (RFC 7323, section 5.4). */
export const stampOf = (nowUs: number): number => sequenceOf(Math.floor(nowUs / 1000));

/** Whether an echoed timestamp is from before a moment. */
export const isEchoOlder = (echo: number, sentUs: number): boolean => ((echo - stampOf(sentUs)) | 0) < 0;

/** Remembers the window before it is reduced. */
export function rememberWindow(tcb: Tcb): void {
  const { congestion, unacknowledged } = tcb;
  const { windowBytes, thresholdBytes, hystart } = congestion;
  tcb.undo = { from: unacknowledged, windowBytes, thresholdBytes, ...(hystart && { hystart }) };
}

export function noteRetransmission({ undo }: Tcb, nowUs: number): void {
  if (undo === undefined) return;
  undo.pending = (undo.pending ?? 0) + 1;
  undo.firstStamp ??= stampOf(nowUs);
}

/** Takes a D-SACK of a segment that was sent again. */
export function noteReported({ undo }: Tcb, [, end]: Range): void {
  if (undo?.pending === undefined || end <= undo.from) return;
  undo.pending = Math.max(0, undo.pending - 1);
}

/** Whether the acknowledgement is of a first transmission: all retransmissions are later than the timestamp that it echoes. */
export const isDelayed = ({ undo }: Tcb, echo: number | undefined): boolean =>
  undo?.firstStamp !== undefined && echo !== undefined && ((echo - undo.firstStamp) | 0) < 0;

/** Whether each retransmission was reported as a duplicate. */
export const isAllReported = ({ undo }: Tcb): boolean => undo?.pending === 0;

/** Restores window and threshold, and ends the recovery (RFC 4015, section 3.2). */
export function undoReduction(tcb: Tcb): void {
  const { undo, congestion, flight } = tcb;
  if (undo === undefined) return;
  congestion.windowBytes = Math.max(congestion.windowBytes, undo.windowBytes);
  if (congestion.thresholdBytes !== undefined)
    congestion.thresholdBytes =
      undo.thresholdBytes === undefined
        ? undefined
        : Math.max(undo.thresholdBytes, congestion.thresholdBytes);
  if (undo.hystart && congestion.thresholdBytes === undefined)
    congestion.hystart = resumeRound(undo.hystart, tcb.next);
  // The rate may not have been the best one of the path.
  if (congestion.bbr) congestion.bbr.fullRate = 0;
  withdrawReduction(tcb);
  unmarkLost(flight);
  tcb.undo = undefined;
  tcb.recovery = undefined;
  tcb.counters.undone = (tcb.counters.undone ?? 0) + 1;
}
