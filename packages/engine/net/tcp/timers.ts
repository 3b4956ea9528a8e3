/** What happens when a timer of a connection ends (RFC 6298, section 5; RFC 9293, sections 3.8.1, 3.8.6.1 and 3.10.8). */
import { saveWindow } from "./bbr.ts";
import { reduceThreshold } from "./congestion.ts";
import { isHolding, noteReduction } from "./ecn.ts";
import { markAllLost } from "./flight.ts";
import { sendSyn } from "./make-tcb.ts";
import { judgeOverdue, loseByTimeout } from "./recovery.ts";
import { backOff, RTO_AFTER_LOST_SYN_US } from "./round-trip.ts";
import { sendMore, sendProbe, sendTailProbe } from "./send-more.ts";
import { flightBytes, type Outlet, type Tcb } from "./tcb.ts";
import { sendAcknowledgement } from "./transmit.ts";
import { rememberWindow } from "./undo.ts";

/** As Linux: 15 timeouts in a row, or 6 of a SYN, end a connection (R2 of RFC 9293, section 3.8.3). */
const MAX_TIMEOUTS = 15;
const MAX_SYN_TIMEOUTS = 6;

/** Handles the timers that have ended by now. */
export function handleTimers(tcb: Tcb, outlet: Outlet): void {
  const { deadlines } = tcb;
  const { nowUs } = outlet;
  const isDue = (atUs: number | undefined): boolean => atUs !== undefined && atUs <= nowUs;
  if (isDue(deadlines.forgetUs)) {
    end(tcb, outlet);
    return;
  }
  if (isDue(deadlines.acknowledgeUs)) sendAcknowledgement(tcb, outlet);
  if (isDue(deadlines.persistUs)) probeWindow(tcb, outlet);
  if (isDue(deadlines.reorderUs)) {
    deadlines.reorderUs = undefined;
    if (judgeOverdue(tcb, nowUs)) sendMore(tcb, outlet, true);
  }
  if (isDue(deadlines.paceUs)) {
    deadlines.paceUs = undefined;
    sendMore(tcb, outlet);
  }
  if (isDue(deadlines.probeUs)) sendTailProbe(tcb, outlet);
  if (isDue(deadlines.retransmitUs)) timeOut(tcb, outlet);
}

/** Forgets a connection. @param reason absent if both sides closed it. */
export function end(tcb: Tcb, outlet: Outlet, reason?: string): void {
  const wasOpen = tcb.state !== "TIME-WAIT";
  tcb.state = "CLOSED";
  tcb.deadlines.retransmitUs = undefined;
  tcb.deadlines.acknowledgeUs = undefined;
  tcb.deadlines.persistUs = undefined;
  tcb.deadlines.reorderUs = undefined;
  tcb.deadlines.probeUs = undefined;
  tcb.deadlines.paceUs = undefined;
  tcb.deadlines.forgetUs = undefined;
  if (wasOpen) outlet.report({ kind: "closed", ...(reason !== undefined && { reason }) });
  outlet.report({ kind: "gone" });
}

function probeWindow(tcb: Tcb, outlet: Outlet): void {
  tcb.attempts += 1;
  backOff(tcb.roundTrip);
  tcb.deadlines.persistUs = outlet.nowUs + tcb.roundTrip.rtoUs;
  sendProbe(tcb, outlet);
}

function timeOut(tcb: Tcb, outlet: Outlet): void {
  const opens = tcb.state === "SYN-SENT" || tcb.state === "SYN-RECEIVED";
  tcb.attempts += 1;
  tcb.counters.timeouts += 1;
  if (tcb.attempts > (opens ? MAX_SYN_TIMEOUTS : MAX_TIMEOUTS)) {
    end(tcb, outlet, "timed out");
    return;
  }
  tcb.timed = undefined;
  backOff(tcb.roundTrip);
  tcb.deadlines.retransmitUs = outlet.nowUs + tcb.roundTrip.rtoUs;
  if (opens) {
    tcb.counters.retransmissions += 1;
    sendSyn(tcb, outlet);
    return;
  }
  const { congestion, mssBytes } = tcb;
  // RFC 5681, section 3.1: the threshold falls with the first timeout in a row only.
  if (tcb.attempts === 1 && !isHolding(tcb)) {
    rememberWindow(tcb);
    saveWindow(tcb);
    reduceThreshold(congestion, flightBytes(tcb), mssBytes);
  }
  noteReduction(tcb);
  // RFC 2018, section 8: a receiver may have dropped what it reported. One timeout is more likely the loss of a retransmission.
  const forgets = tcb.attempts > 1;
  if (forgets) tcb.reported.splice(0);
  loseByTimeout(tcb, outlet.nowUs, forgets);
  // Slow start begins anew with one segment.
  congestion.windowBytes = tcb.flight.flyingBytes + mssBytes;
  resend(tcb, outlet);
}

/** Takes all that is unacknowledged as lost, but not by congestion. */
export function resendAll(tcb: Tcb, outlet: Outlet): void {
  markAllLost(tcb.flight, false);
  tcb.undo = undefined;
  resend(tcb, outlet);
}

function resend(tcb: Tcb, outlet: Outlet): void {
  tcb.duplicates = 0;
  tcb.probe = undefined;
  tcb.deadlines.probeUs = undefined;
  tcb.deadlines.reorderUs = undefined;
  tcb.recovery = { kind: "timeout", point: tcb.next };
  sendMore(tcb, outlet, true);
}

/** RFC 6298, section 5.7: after the handshake, if its SYN was repeated. */
export function forgetSynTimeouts(tcb: Tcb): void {
  if (tcb.counters.timeouts > 0 && tcb.roundTrip.smoothedUs === undefined)
    tcb.roundTrip.rtoUs = RTO_AFTER_LOST_SYN_US;
}
