/** The acknowledgement, the window and the SACK blocks of an arriving segment (RFC 9293, section 3.10.7.4; RFC 5681; RFC 8985). */
import { TCP_SYN } from "../../wire/tcp.ts";
import { type Arrival, makeArrival, takeAllBefore, takeBlocks } from "./arrival.ts";
import { takeDelivery } from "./bbr.ts";
import { grow } from "./congestion.ts";
import type { Path } from "./cubic.ts";
import { isHolding, takeEcho } from "./ecn.ts";
import { takeRound } from "./hystart.ts";
import type { TcpOptions } from "./options.ts";
import { positionOf, sequenceOf } from "./position.ts";
import { reduce } from "./proportional-rate.ts";
import { judge } from "./recovery.ts";
import { DUPLICATE_THRESHOLD } from "./recovery-state.ts";
import { follow, measure } from "./round-trip.ts";
import { sendMore } from "./send-more.ts";
import { dropBefore } from "./send-queue.ts";
import { armProbe, takeProbeAnswer } from "./tail-probe.ts";
import { flightBytes, type Outlet, type Segment, type Tcb } from "./tcb.ts";
import { sendAcknowledgement } from "./transmit.ts";

/** The step of the timestamp clock. */
const TICK_US = 1_000;

/** @param position of the segment. @returns false if it acknowledges what was never sent: the segment is then dropped. */
export function takeAcknowledgement(tcb: Tcb, segment: Segment, position: number, outlet: Outlet): boolean {
  const acknowledged = positionOf(segment.acknowledgement, tcb.unacknowledged);
  if (acknowledged > tcb.sent) {
    sendAcknowledgement(tcb, outlet);
    return false;
  }
  const arrival = makeArrival(tcb, segment.options, outlet.nowUs);
  if (tcb.usesSack) takeBlocks(tcb, segment.options, acknowledged, arrival);
  const before = tcb.queue.start;
  if (acknowledged >= tcb.unacknowledged) {
    takeEcho(tcb, segment.flags, acknowledged);
    // The window of a SYN is not scaled (RFC 7323, section 2.2).
    const window = segment.window * 2 ** (segment.flags & TCP_SYN ? 0 : tcb.sendShift);
    const isSame = window === tcb.window && segment.data.length === 0;
    takeWindow(tcb, position, acknowledged, window);
    if (acknowledged > tcb.unacknowledged) takeNew(tcb, acknowledged, segment.options, arrival);
    else arrival.repeats = isSame && flightBytes(tcb) > 0;
    takeProbeAnswer(tcb, acknowledged, arrival);
  }
  takeReport(tcb, arrival, outlet);
  if (tcb.queue.start > before) outlet.report({ kind: "acknowledged" });
  return true;
}

/** Decides about losses, and then about the window. */
function takeReport(tcb: Tcb, arrival: Arrival, outlet: Outlet): void {
  const { advances, delivers, deliveredBytes, nowUs } = arrival;
  const wasFast = tcb.recovery?.kind === "fast";
  const priorBytes = tcb.flight.flyingBytes + deliveredBytes;
  const lostBytes = judge(tcb, arrival);
  takeDelivery(tcb, arrival, priorBytes, lostBytes);
  if (advances) takeRound(tcb.congestion, tcb.next, tcb.unacknowledged, nowUs);
  // As Linux: over a path that reorders far, reports beyond a gap grow the window too.
  const grows = !tcb.congestion.bbr && (advances || (delivers && tcb.rack.degree > DUPLICATE_THRESHOLD));
  if (grows && !wasFast && tcb.recovery?.kind !== "fast" && tcb.isCongestionLimited && !isHolding(tcb))
    grow(tcb.congestion, deliveredBytes, pathOf(tcb, nowUs));
  if (delivers) reduce(tcb, deliveredBytes, advances && lostBytes === 0);
  if (advances) armProbe(tcb, nowUs);
  // Without SACK, each partial acknowledgement sends the first segment again.
  if (!tcb.usesSack && tcb.recovery?.kind === "fast" && tcb.flight.lost.length > 0)
    sendMore(tcb, outlet, true);
}

function takeWindow(tcb: Tcb, position: number, acknowledged: number, window: number): void {
  const [from, at] = tcb.windowFrom;
  if (position < from || (position === from && acknowledged < at)) return;
  tcb.window = window;
  tcb.maxWindow = Math.max(tcb.maxWindow, window);
  tcb.windowFrom = [position, acknowledged];
}

function takeNew(tcb: Tcb, acknowledged: number, options: TcpOptions, arrival: Arrival): void {
  const before = tcb.queue.start;
  takeAllBefore(tcb, acknowledged, arrival);
  tcb.unacknowledged = acknowledged;
  tcb.next = Math.max(tcb.next, acknowledged);
  dropBefore(tcb.queue, Math.min(acknowledged, tcb.queue.end));
  tcb.counters.bytesAcknowledged += tcb.queue.start - before;
  measureRoundTrip(tcb, acknowledged, options, arrival.nowUs);
  tcb.attempts = 0;
  // RFC 6298, sections 5.2 and 5.3.
  tcb.deadlines.retransmitUs = flightBytes(tcb) > 0 ? arrival.nowUs + tcb.roundTrip.rtoUs : undefined;
}

function measureRoundTrip(tcb: Tcb, acknowledged: number, { timestamps }: TcpOptions, nowUs: number): void {
  if (tcb.timed && acknowledged >= tcb.timed.end) {
    measure(tcb.roundTrip, Math.max(1, nowUs - tcb.timed.sentUs));
    tcb.timed = undefined;
  } else if (tcb.usesTimestamps && timestamps && timestamps.echo !== 0) {
    // The echo names the transmission that is acknowledged, so that a repeated segment counts too (RFC 7323, section 4.1). It ticks
    // in milliseconds: smaller differences are left to the timed segment.
    const sampleUs = ((sequenceOf(Math.floor(nowUs / 1000)) - timestamps.echo) | 0) * 1000;
    const { smoothedUs } = tcb.roundTrip;
    if (sampleUs >= 0 && (smoothedUs === undefined || Math.abs(sampleUs - smoothedUs) > 2 * TICK_US))
      follow(tcb.roundTrip, Math.max(1, sampleUs));
  }
}

export const pathOf = (tcb: Tcb, nowUs: number): Path => ({
  nowUs,
  roundTripUs: tcb.roundTrip.smoothedUs ?? tcb.roundTrip.rtoUs,
  mssBytes: tcb.mssBytes,
});
