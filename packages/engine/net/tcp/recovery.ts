/**
 * When a recovery begins and ends. `fast` follows a loss that RACK has found (RFC 8985) or, without SACK, three duplicate
 * acknowledgements (RFC 6582); `timeout` follows the retransmission timer, or a smaller path MTU.
 */
import type { Arrival } from "./arrival.ts";
import { saveWindow } from "./bbr.ts";
import { reduceThreshold } from "./congestion.ts";
import { isHolding, noteReduction } from "./ecn.ts";
import { hasLost, markAllLost, markLost, visitInOrder } from "./flight.ts";
import { beginReduction } from "./proportional-rate.ts";
import { detectLosses, endRound, isOverdue, noteOvertaken, noteRecovered } from "./rack.ts";
import { DUPLICATE_THRESHOLD, type Recovery } from "./recovery-state.ts";
import { flightBytes, type Tcb } from "./tcb.ts";
import { isAllReported, isDelayed, rememberWindow, undoReduction } from "./undo.ts";

/** Takes an acknowledgement: undoes, ends or begins a recovery. @returns the bytes that were found lost. */
export function judge(tcb: Tcb, arrival: Arrival): number {
  if (!tcb.usesSack) {
    judgeByDuplicates(tcb, arrival);
    return 0;
  }
  endRound(tcb);
  const mustWait = endRecovery(tcb, arrival);
  if (mustWait) return 0;
  const canUndo = tcb.recovery?.kind !== "timeout" || arrival.advances;
  if (canUndo && isAllReported(tcb)) undoReduction(tcb);
  const detected = arrival.delivers ? detectLosses(tcb, arrival.nowUs) : { lostBytes: 0, hasResent: false };
  // A retransmission that is lost after a timeout is congestion too.
  const begins =
    tcb.recovery === undefined ? hasLost(tcb.flight) : tcb.recovery.kind === "timeout" && detected.hasResent;
  if (begins) beginFast(tcb, arrival);
  return detected.lostBytes;
}

/**
 * Ends the recovery at its point, or before if the acknowledgement proves that nothing was lost.
 *
 * @returns true if the acknowledgement says that first transmissions arrive late, while retransmissions are on their way: then no more
 * segments are found lost.
 */
function endRecovery(tcb: Tcb, { advances, acknowledgedBytes, echo }: Arrival): boolean {
  const { recovery, unacknowledged } = tcb;
  if (recovery === undefined) return false;
  const isOver = unacknowledged >= recovery.point;
  if (advances && isDelayed(tcb, echo)) {
    if (recovery.kind === "fast") noteOvertaken(tcb, unacknowledged - acknowledgedBytes);
    if (recovery.kind === "fast" && !isOver && tcb.flight.resentBytes > 0) return true;
    undoReduction(tcb);
  } else if (isOver && isAllReported(tcb)) undoReduction(tcb);
  else if (isOver) finish(tcb, recovery);
  return false;
}

/** A D-SACK may still undo the reduction later; a timestamp no longer. */
function finish(tcb: Tcb, { kind }: Recovery): void {
  const { congestion, undo } = tcb;
  if (kind === "fast") congestion.windowBytes = congestion.thresholdBytes ?? congestion.windowBytes;
  if (undo !== undefined) undo.firstStamp = undefined;
  tcb.recovery = undefined;
  noteRecovered(tcb);
}

/** Begins a fast recovery (RFC 6675, section 5, step 4; RFC 6582, section 3.2). */
export function beginFast(tcb: Tcb, { deliveredBytes }: Pick<Arrival, "deliveredBytes">): void {
  const { congestion, mssBytes, next } = tcb;
  // A mark of the same round trip has reduced it already (RFC 3168, section 6.1.2).
  tcb.undo = undefined;
  if (!isHolding(tcb)) {
    rememberWindow(tcb);
    saveWindow(tcb);
    reduceThreshold(congestion, flightBytes(tcb), mssBytes);
  }
  noteReduction(tcb);
  tcb.probe = undefined;
  tcb.deadlines.probeUs = undefined;
  congestion.windowBytes = congestion.thresholdBytes ?? congestion.windowBytes;
  tcb.recovery = { kind: "fast", point: next, ...beginReduction(tcb, deliveredBytes) };
  tcb.counters.fastRecoveries += 1;
}

/** NewReno (RFC 6582): the third duplicate, and each partial acknowledgement, proves the loss of the first segment. */
function judgeByDuplicates(tcb: Tcb, { advances, repeats, acknowledgedBytes }: Arrival): void {
  const { recovery, congestion, mssBytes } = tcb;
  if (recovery !== undefined && tcb.unacknowledged >= recovery.point) {
    tcb.recovery = undefined;
    tcb.duplicates = 0;
    // Section 3.2, step 3 (1): no burst after the recovery.
    if (recovery.kind === "fast" && congestion.thresholdBytes !== undefined)
      congestion.windowBytes = Math.min(
        congestion.thresholdBytes,
        Math.max(flightBytes(tcb), mssBytes) + mssBytes,
      );
  } else if (advances && recovery !== undefined) {
    // Duplicates had reported all that is acknowledged, but for the segment that was sent again.
    tcb.duplicates = Math.max(0, tcb.duplicates - Math.max(0, Math.floor(acknowledgedBytes / mssBytes) - 1));
    if (recovery.kind === "fast") loseFirst(tcb);
  } else if (advances) tcb.duplicates = 0;
  else if (repeats) {
    tcb.duplicates += 1;
    if (recovery === undefined && tcb.duplicates >= DUPLICATE_THRESHOLD) {
      beginFast(tcb, { deliveredBytes: 0 });
      loseFirst(tcb);
    }
  }
}

function loseFirst({ flight }: Tcb): void {
  const [first] = flight.segments;
  if (first?.fate === "flying" && !first.isResent) markLost(flight, first);
}

/** What the timer of the reordering window finds (RFC 8985, section 6.3). @returns whether anything is lost. */
export function judgeOverdue(tcb: Tcb, nowUs: number): boolean {
  const { lostBytes } = detectLosses(tcb, nowUs);
  if (lostBytes > 0 && tcb.recovery === undefined) beginFast(tcb, { deliveredBytes: 0 });
  return lostBytes > 0;
}

/** Takes what is overdue as lost after a timeout. @param forgets drops what the peer has reported. */
export function loseByTimeout(tcb: Tcb, nowUs: number, forgets: boolean): void {
  const { flight } = tcb;
  if (tcb.usesSack && !forgets && tcb.rack.lastSerial !== undefined)
    visitInOrder(flight, (segment) =>
      segment.start === tcb.unacknowledged || isOverdue(tcb, segment, nowUs) ? "lost" : "keep",
    );
  else markAllLost(flight, forgets);
}
