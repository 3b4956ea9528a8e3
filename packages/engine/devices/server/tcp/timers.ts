/** What happens when a timer of a connection ends (RFC 6298, section 5; RFC 9293, sections 3.8.1, 3.8.6.1 and 3.10.8). */
import { collapse, reduceThreshold } from "./congestion.ts";
import { isHolding, noteReduction } from "./ecn.ts";
import { sendSyn } from "./make-tcb.ts";
import { backOff, RTO_AFTER_LOST_SYN_US } from "./round-trip.ts";
import { sendMore, sendProbe } from "./send-more.ts";
import { flightBytes, type Outlet, type Tcb } from "./tcb.ts";
import { sendAcknowledgement } from "./transmit.ts";

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
  if (isDue(deadlines.retransmitUs)) timeOut(tcb, outlet);
}

/** Forgets a connection. @param reason absent if both sides closed it. */
export function end(tcb: Tcb, outlet: Outlet, reason?: string): void {
  const wasOpen = tcb.state !== "TIME-WAIT";
  tcb.state = "CLOSED";
  tcb.deadlines.retransmitUs = undefined;
  tcb.deadlines.acknowledgeUs = undefined;
  tcb.deadlines.persistUs = undefined;
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
  if (tcb.attempts === 1 && !isHolding(tcb)) reduceThreshold(congestion, flightBytes(tcb), mssBytes);
  noteReduction(tcb);
  collapse(congestion, mssBytes);
  // RFC 2018, section 8: a receiver may have dropped what it reported. One timeout is more likely the loss of a retransmission.
  if (tcb.attempts > 1) tcb.reported.splice(0);
  resendAll(tcb, outlet);
}

/** Takes all that is unacknowledged as lost. */
export function resendAll(tcb: Tcb, outlet: Outlet): void {
  tcb.duplicates = 0;
  tcb.recovery = { kind: "timeout", point: tcb.next, resent: [], sentAgain: [] };
  sendMore(tcb, outlet, true);
}

/** RFC 6298, section 5.7: after the handshake, if its SYN was repeated. */
export function forgetSynTimeouts(tcb: Tcb): void {
  if (tcb.counters.timeouts > 0 && tcb.roundTrip.smoothedUs === undefined)
    tcb.roundTrip.rtoUs = RTO_AFTER_LOST_SYN_US;
}
