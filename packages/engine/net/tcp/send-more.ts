/** Sends what the windows allow: lost ranges first, then new data, then the FIN (RFC 9293, section 3.8; RFC 6675, section 5). */
import { restart } from "./bbr.ts";
import { initialWindow } from "./congestion.ts";
import { type Departure, depart } from "./delivery-rate.ts";
import { firstLost, noteAgain, noteNew, type SentSegment } from "./flight.ts";
import { noteSent } from "./hystart.ts";
import { mayLeave, noteLeft } from "./pacing.ts";
import { armProbe } from "./tail-probe.ts";
import { flightBytes, type Outlet, streamEnd, type Tcb, type TcpState } from "./tcb.ts";
import { sendRange } from "./transmit.ts";
import { noteRetransmission } from "./undo.ts";

const SENDING: ReadonlySet<TcpState> = new Set([
  "ESTABLISHED",
  "CLOSE-WAIT",
  "FIN-WAIT-1",
  "CLOSING",
  "LAST-ACK",
]);

/** @param isForced sends the first lost range even if the window of congestion control is full. */
export function sendMore(tcb: Tcb, outlet: Outlet, isForced = false): void {
  if (!SENDING.has(tcb.state)) return;
  restartAfterIdle(tcb, outlet.nowUs);
  if (tcb.deadlines.persistUs !== undefined && newEnd(tcb) !== undefined) stopProbing(tcb);
  tcb.isCongestionLimited = false;
  let force = isForced;
  for (let choice = choose(tcb); choice !== undefined; choice = choose(tcb)) {
    const bytes = choice.end - choice.start;
    const isKept = pipe(tcb) + bytes > tcb.congestion.windowBytes || !mayLeave(tcb, outlet.nowUs);
    if (isKept && !force) {
      tcb.isCongestionLimited = true;
      break;
    }
    force = false;
    if (tcb.recovery?.proportion) tcb.recovery.proportion.sentBytes += bytes;
    if (choice.lost) sendAgain(tcb, choice.lost, outlet);
    else sendNew(tcb, choice.end, outlet);
    noteLeft(tcb, bytes, outlet.nowUs);
  }
  noteEnd(tcb);
  persist(tcb, outlet.nowUs);
}

/** The rate of delivery says nothing about the path while the application has no more data. */
function noteEnd({ congestion, queue, next, flight }: Tcb): void {
  const { bbr } = congestion;
  if (bbr && next >= queue.end && flight.lost.length === 0 && flight.flyingBytes < congestion.windowBytes)
    bbr.delivery.limitedUntil = bbr.delivery.deliveredBytes + flight.flyingBytes;
}

interface Choice {
  readonly start: number;
  readonly end: number;
  /** Absent for new data. */
  readonly lost?: SentSegment;
}

function choose(tcb: Tcb): Choice | undefined {
  const lost = firstLost(tcb.flight, tcb.mssBytes);
  if (lost) return { start: lost.start, end: lost.end, lost };
  const end = newEnd(tcb);
  return end === undefined ? undefined : { start: tcb.next, end };
}

/** Bytes in flight. Without SACK, every duplicate acknowledgement reports a segment that has arrived. */
const pipe = ({ flight, usesSack, duplicates, mssBytes }: Tcb): number =>
  Math.max(0, flight.flyingBytes - (usesSack ? 0 : duplicates * mssBytes));

/** The end of the next new segment; undefined if none may be sent now. */
function newEnd(tcb: Tcb): number | undefined {
  const { next, queue, mssBytes, unacknowledged, window, isClosing } = tcb;
  if (next >= streamEnd(tcb)) return undefined;
  const unsent = queue.end - next;
  const allowed = Math.max(0, unacknowledged + window - next);
  const length = Math.min(mssBytes, unsent, allowed);
  if (length === unsent && isClosing) return next + length + 1;
  if (length === 0) return undefined;
  const isWhole = length === mssBytes || length === unsent;
  // The sender's part against silly windows (section 3.8.6.2.1): no piece of a segment, unless it is half of the largest window.
  if (!isWhole) return length >= tcb.maxWindow / 2 ? next + length : undefined;
  // Nagle's algorithm (section 3.7.4).
  return length < mssBytes && flightBytes(tcb) > 0 ? undefined : next + length;
}

function sendNew(tcb: Tcb, end: number, outlet: Outlet): void {
  const start = tcb.next;
  tcb.next = end;
  const isNew = start >= tcb.sent;
  const isFirst = end > tcb.sent;
  tcb.sent = Math.max(tcb.sent, end);
  if (isFirst && tcb.timed === undefined) tcb.timed = { end, sentUs: outlet.nowUs };
  noteSent(tcb.congestion.hystart, end, outlet.nowUs);
  noteNew(tcb.flight, start, end, outlet.nowUs, departureOf(tcb, outlet.nowUs));
  sendRange(tcb, start, end, outlet, isNew);
  armProbe(tcb, outlet.nowUs);
}

const departureOf = ({ congestion, flight }: Tcb, nowUs: number): Departure | undefined =>
  congestion.bbr && depart(congestion.bbr.delivery, nowUs, flight.segments.length === 0);

function sendAgain(tcb: Tcb, segment: SentSegment, outlet: Outlet): void {
  const { start, end } = segment;
  noteAgain(tcb.flight, segment, outlet.nowUs, departureOf(tcb, outlet.nowUs));
  noteRetransmission(tcb, outlet.nowUs);
  tcb.counters.retransmissions += 1;
  tcb.timed = undefined;
  tcb.congestion.hystart?.timed.splice(0);
  // As Linux: the first segment gets a whole timeout of its own, because it joins the end of the queue on the path.
  if (start === tcb.unacknowledged) tcb.deadlines.retransmitUs = outlet.nowUs + tcb.roundTrip.rtoUs;
  sendRange(tcb, start, end, outlet);
}

/** Sends the probe of a tail (RFC 8985, section 7.3): new data if the peer's window has room, else the last segment. */
export function sendTailProbe(tcb: Tcb, outlet: Outlet): void {
  const end = newEnd(tcb);
  const last = tcb.flight.segments.at(-1);
  if (end !== undefined) sendNew(tcb, end, outlet);
  else if (last !== undefined) sendAgain(tcb, last, outlet);
  tcb.probe = { end: tcb.next, isResent: end === undefined };
  tcb.deadlines.probeUs = undefined;
  tcb.deadlines.retransmitUs = outlet.nowUs + tcb.roundTrip.rtoUs;
}

/** RFC 5681, section 4.1: after an idle time, the window says nothing about the path any more. */
function restartAfterIdle(tcb: Tcb, nowUs: number): void {
  if (tcb.congestion.bbr) {
    if (flightBytes(tcb) === 0 && tcb.next < tcb.queue.end) restart(tcb);
    return;
  }
  if (flightBytes(tcb) > 0 || nowUs - tcb.lastSentUs <= tcb.roundTrip.rtoUs) return;
  const { congestion } = tcb;
  congestion.windowBytes = Math.min(congestion.windowBytes, initialWindow(tcb.mssBytes));
}

/** Arms the timer of window probes while the window alone keeps data back (RFC 9293, section 3.8.6.1). */
function persist(tcb: Tcb, nowUs: number): void {
  const isBlocked = flightBytes(tcb) === 0 && tcb.next < tcb.queue.end && newEnd(tcb) === undefined;
  if (isBlocked) tcb.deadlines.persistUs ??= nowUs + tcb.roundTrip.rtoUs;
}

function stopProbing(tcb: Tcb): void {
  tcb.deadlines.persistUs = undefined;
  tcb.attempts = 0;
}

/**
 * Sends what the window has room for, or one byte beyond it. That byte counts as unsent until it is acknowledged, so that the
 * retransmission timer stays off.
 */
export function sendProbe(tcb: Tcb, outlet: Outlet): void {
  const { next, queue, unacknowledged, window, mssBytes } = tcb;
  const allowed = Math.min(mssBytes, queue.end - next, unacknowledged + window - next);
  if (allowed > 0) {
    stopProbing(tcb);
    sendNew(tcb, next + allowed, outlet);
    return;
  }
  tcb.sent = Math.max(tcb.sent, next + 1);
  sendRange(tcb, next, next + 1, outlet);
}
