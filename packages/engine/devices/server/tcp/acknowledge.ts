/** The acknowledgement, the window and the SACK blocks of an arriving segment (RFC 9293, section 3.10.7.4; RFC 5681; RFC 6675). */
import { TCP_SYN } from "../../../wire/tcp.ts";
import { grow, reduceThreshold } from "./congestion.ts";
import type { Path } from "./cubic.ts";
import { isHolding, noteReduction, takeEcho } from "./ecn.ts";
import { takeRound } from "./hystart.ts";
import type { TcpOptions } from "./options.ts";
import { positionOf, sequenceOf } from "./position.ts";
import { arrivedBytes, beginReduction, reduce } from "./proportional-rate.ts";
import { addRange, removeBefore } from "./ranges.ts";
import { follow, measure } from "./round-trip.ts";
import { DUPLICATE_THRESHOLD, findLostAgain, lostBelow } from "./scoreboard.ts";
import { sendMore } from "./send-more.ts";
import { dropBefore } from "./send-queue.ts";
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
  const arrivedBefore = tcb.usesSack ? arrivedBytes(tcb) : 0;
  const reports = tcb.usesSack && takeBlocks(tcb, segment.options, acknowledged);
  if (acknowledged < tcb.unacknowledged) return true;
  takeEcho(tcb, segment.flags, acknowledged);
  const before = tcb.unacknowledged;
  // The window of a SYN is not scaled (RFC 7323, section 2.2).
  const window = segment.window * 2 ** (segment.flags & TCP_SYN ? 0 : tcb.sendShift);
  const isPlain = !tcb.usesSack && window === tcb.window && segment.data.length === 0;
  takeWindow(tcb, position, acknowledged, window);
  if (acknowledged > tcb.unacknowledged) takeNew(tcb, acknowledged, segment.options, outlet);
  else if (reports || (isPlain && flightBytes(tcb) > 0)) takeDuplicate(tcb, outlet);
  if (tcb.recovery?.sentAgain.length) findLostAgain(tcb);
  if (tcb.recovery?.proportion) reduce(tcb, arrivedBytes(tcb) - arrivedBefore, acknowledged > before);
  return true;
}

/** Notes the blocks that lie in what was sent. @returns whether they report anything new. */
function takeBlocks(tcb: Tcb, { sack = [] }: TcpOptions, acknowledged: number): boolean {
  let reports = false;
  const from = Math.max(acknowledged, tcb.unacknowledged);
  for (const [left, right] of sack) {
    const start = positionOf(left, tcb.unacknowledged);
    const end = positionOf(right, tcb.unacknowledged);
    if (start < from || end > tcb.next || start >= end) continue;
    reports = addRange(tcb.reported, start, end).isNew || reports;
  }
  return reports;
}

function takeWindow(tcb: Tcb, position: number, acknowledged: number, window: number): void {
  const [from, at] = tcb.windowFrom;
  if (position < from || (position === from && acknowledged < at)) return;
  tcb.window = window;
  tcb.maxWindow = Math.max(tcb.maxWindow, window);
  tcb.windowFrom = [position, acknowledged];
}

function takeNew(tcb: Tcb, acknowledged: number, options: TcpOptions, outlet: Outlet): void {
  const bytes = acknowledged - tcb.unacknowledged;
  const before = tcb.queue.start;
  tcb.unacknowledged = acknowledged;
  tcb.next = Math.max(tcb.next, acknowledged);
  dropBefore(tcb.queue, Math.min(acknowledged, tcb.queue.end));
  tcb.counters.bytesAcknowledged += tcb.queue.start - before;
  removeBefore(tcb.reported, acknowledged);
  measureRoundTrip(tcb, acknowledged, options, outlet.nowUs);
  tcb.attempts = 0;
  // RFC 6298, sections 5.2 and 5.3.
  tcb.deadlines.retransmitUs = flightBytes(tcb) > 0 ? outlet.nowUs + tcb.roundTrip.rtoUs : undefined;
  if (tcb.recovery === undefined) tcb.duplicates = 0;
  const wasFast = tcb.recovery?.kind === "fast";
  const isPartial = advanceRecovery(tcb, acknowledged, bytes);
  takeRound(tcb.congestion, tcb.next, acknowledged, outlet.nowUs);
  if (!wasFast && tcb.isCongestionLimited && !isHolding(tcb))
    grow(tcb.congestion, bytes, pathOf(tcb, outlet.nowUs));
  if (tcb.queue.start > before) outlet.report({ kind: "acknowledged" });
  if (isPartial && !tcb.usesSack) sendMore(tcb, outlet, true);
}

/** Ends the recovery at its point. @returns whether it is a fast recovery that goes on. */
function advanceRecovery(tcb: Tcb, acknowledged: number, bytes: number): boolean {
  const { recovery, congestion, mssBytes } = tcb;
  if (recovery === undefined) return false;
  removeBefore(recovery.resent, acknowledged);
  if (acknowledged >= recovery.point) {
    tcb.recovery = undefined;
    tcb.duplicates = 0;
    if (recovery.kind === "fast")
      congestion.windowBytes = tcb.usesSack
        ? congestion.thresholdBytes!
        : // RFC 6582, section 3.2, step 3 (1): no burst after the recovery.
          Math.min(congestion.thresholdBytes!, Math.max(flightBytes(tcb), mssBytes) + mssBytes);
    return false;
  }
  // Duplicates had reported all that is acknowledged, but for the segment that was sent again.
  tcb.duplicates = Math.max(0, tcb.duplicates - Math.max(0, Math.floor(bytes / mssBytes) - 1));
  return recovery.kind === "fast";
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

function takeDuplicate(tcb: Tcb, outlet: Outlet): void {
  tcb.duplicates += 1;
  if (tcb.recovery !== undefined) {
    return;
  }
  const isLost = tcb.usesSack && lostBelow(tcb) > tcb.unacknowledged;
  if (tcb.duplicates >= DUPLICATE_THRESHOLD || isLost) recover(tcb, outlet);
}

/** Begins fast recovery (RFC 6675, section 5, step 4; RFC 6582, section 3.2). */
function recover(tcb: Tcb, outlet: Outlet): void {
  const { congestion, mssBytes, next } = tcb;
  // A mark of the same round trip has reduced it already (RFC 3168, section 6.1.2).
  if (!isHolding(tcb)) reduceThreshold(congestion, flightBytes(tcb), mssBytes);
  noteReduction(tcb);
  congestion.windowBytes = congestion.thresholdBytes!;
  tcb.recovery = { kind: "fast", point: next, resent: [], sentAgain: [], ...beginReduction(tcb) };
  tcb.counters.fastRecoveries += 1;
  if (!tcb.usesSack) sendMore(tcb, outlet, true);
}
