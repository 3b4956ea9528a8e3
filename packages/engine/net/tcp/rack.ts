/**
 * RACK (RFC 8985, section 6): a segment is lost if one that was sent sufficiently later has arrived. "Sufficiently" is the reordering
 * window, which grows where the path reorders. The names of the RFC are in the comments.
 */
import { type SentSegment, visitInOrder } from "./flight.ts";
import { DUPLICATE_THRESHOLD, type Rack } from "./recovery-state.ts";
import type { Tcb } from "./tcb.ts";
import { isEchoOlder } from "./undo.ts";

/** Section 6.2, step 4: recoveries without a D-SACK after which the window has its first size again. */
const PERSISTENCE = 16;
/** As Linux (tcp_min_rtt_wlen): an older minimum says nothing about the path. */
const LEAST_LIFE_US = 300_000_000;
const MAX_MULTIPLIER = 255;
/** As Linux (tcp_max_reordering). */
const MAX_DEGREE = 300;

/** Takes a segment that has arrived (steps 1 to 3). @param echo the timestamp that its acknowledgement echoes; absent for SACK. */
export function noteArrived(tcb: Tcb, segment: SentSegment, nowUs: number, echo: number | undefined): void {
  const { rack } = tcb;
  noteOrder(tcb, segment);
  const roundTripUs = nowUs - segment.sentUs;
  if (segment.isResent && isFirstTransmission(rack, segment, roundTripUs, echo)) return;
  if (
    !segment.isResent &&
    !(rack.least && rack.least.us < roundTripUs && nowUs - rack.least.atUs < LEAST_LIFE_US)
  )
    rack.least = { us: roundTripUs, atUs: nowUs };
  rack.roundTripUs = roundTripUs;
  rack.lastSerial = Math.max(rack.lastSerial ?? 0, segment.serial);
}

/**
 * Whether it is probably the first transmission of a segment that has arrived (step 2). The RFC also doubts each round trip below the
 * minimum; jitter makes such round trips, so a timestamp alone decides where there is one.
 */
const isFirstTransmission = (
  { least }: Rack,
  { sentUs }: SentSegment,
  roundTripUs: number,
  echo: number | undefined,
): boolean => (echo === undefined ? roundTripUs < (least?.us ?? 0) : isEchoOlder(echo, sentUs));

/** Step 3: a segment that was sent once, below one that has arrived before, was overtaken. */
function noteOrder(tcb: Tcb, { start, end, isResent }: SentSegment): void {
  const { rack } = tcb;
  if (end > rack.highest) rack.highest = end;
  else if (!isResent) noteOvertaken(tcb, start);
}

/** @param start of a segment that has arrived after later ones. */
export function noteOvertaken({ rack, mssBytes }: Tcb, start: number): void {
  rack.isReordering = true;
  rack.degree = Math.max(rack.degree, Math.min(MAX_DEGREE, Math.ceil((rack.highest - start) / mssBytes)));
}

/** Step 4: the window grows once in a round trip that has a D-SACK. */
export function noteDuplicate({ rack, next }: Tcb): void {
  if (rack.roundEnd !== undefined) return;
  rack.roundEnd = next;
  rack.multiplier = Math.min(MAX_MULTIPLIER, rack.multiplier + 1);
  rack.persistence = PERSISTENCE;
}

/** Ends the round of a D-SACK with the acknowledgement of what was sent in it. */
export function endRound({ rack, unacknowledged }: Tcb): void {
  if (rack.roundEnd !== undefined && unacknowledged >= rack.roundEnd) rack.roundEnd = undefined;
}

/** Step 4, at the end of a recovery. */
export function noteRecovered({ rack }: Tcb): void {
  if (rack.persistence > 0) rack.persistence -= 1;
  if (rack.persistence === 0) rack.multiplier = 1;
}

/** RACK_update_reo_wnd */
export function reorderingWindowUs({ rack, recovery, reported, roundTrip, mssBytes }: Tcb): number {
  if (!rack.isReordering) {
    if (recovery !== undefined) return 0;
    let bytes = 0;
    for (const [start, end] of reported) bytes += end - start;
    if (bytes >= DUPLICATE_THRESHOLD * mssBytes || reported.length >= DUPLICATE_THRESHOLD) return 0;
  }
  const windowUs = (rack.multiplier * (rack.least?.us ?? 0)) / 4;
  return Math.min(windowUs, roundTrip.smoothedUs ?? windowUs);
}

export interface Detected {
  /** Bytes found lost now. */
  readonly lostBytes: number;
  /** A retransmission is among them. */
  readonly hasResent: boolean;
}

/** Step 5: RACK_detect_loss. Sets the timer for what is lost unless it arrives meanwhile. */
export function detectLosses(tcb: Tcb, nowUs: number): Detected {
  const { rack, flight, deadlines } = tcb;
  deadlines.reorderUs = undefined;
  const { lastSerial } = rack;
  if (lastSerial === undefined) return { lostBytes: 0, hasResent: false };
  const allowedUs = rack.roundTripUs + reorderingWindowUs(tcb);
  let [lostBytes, hasResent, dueUs] = [0, false, 0];
  visitInOrder(flight, (segment) => {
    if (segment.serial >= lastSerial) return "stop";
    const atUs = segment.sentUs + allowedUs;
    if (atUs > nowUs) {
      dueUs = Math.max(dueUs, atUs);
      return "keep";
    }
    lostBytes += segment.end - segment.start;
    hasResent ||= segment.isResent;
    return "lost";
  });
  if (dueUs > 0) deadlines.reorderUs = Math.ceil(dueUs);
  return { lostBytes, hasResent };
}

/** Whether a timeout may take a segment as lost: one that was sent within the last round trip may be on its way (section 6.3). */
export const isOverdue = (tcb: Tcb, { sentUs }: SentSegment, nowUs: number): boolean =>
  sentUs + tcb.rack.roundTripUs <= nowUs;
