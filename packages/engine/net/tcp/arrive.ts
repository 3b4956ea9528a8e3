/** The arrival of a segment at a connection: RFC 9293, section 3.10.7, with RFC 5961's answers to blind attacks and PAWS of RFC 7323. */
import { TCP_ACK, TCP_FIN, TCP_RST, TCP_SYN } from "../../wire/tcp.ts";
import { takeAcknowledgement } from "./acknowledge.ts";
import { sendSyn, takeSyn } from "./make-tcb.ts";
import { positionOf } from "./position.ts";
import { noteRepeated, takeData } from "./receive-data.ts";
import { sendMore } from "./send-more.ts";
import { type Outlet, type Segment, streamEnd, type Tcb } from "./tcb.ts";
import { end, forgetSynTimeouts } from "./timers.ts";
import { sendAcknowledgement } from "./transmit.ts";

/** Twice the maximum segment lifetime; RFC 9293, section 3.4.2 says four minutes, Linux waits one. */
const TIME_WAIT_US = 60_000_000;
/** RFC 7323, section 5.5: an older timestamp says nothing. */
const TIMESTAMP_LIFE_US = 24 * 86_400 * 1_000_000;
/** As Linux (tcp_invalid_ratelimit). */
const ANSWER_INTERVAL_US = 500_000;

export function arrive(tcb: Tcb, segment: Segment, outlet: Outlet): void {
  tcb.counters.segmentsIn += 1;
  if (tcb.state === "SYN-SENT") arriveInSynSent(tcb, segment, outlet);
  else if (tcb.state !== "CLOSED") arriveSynchronized(tcb, segment, outlet);
}

/** Section 3.10.7.3. */
function arriveInSynSent(tcb: Tcb, segment: Segment, outlet: Outlet): void {
  const { flags } = segment;
  const acknowledged = positionOf(segment.acknowledgement, tcb.unacknowledged);
  const acknowledges = (flags & TCP_ACK) !== 0;
  const isForSyn = acknowledged === tcb.initial + 1;
  if (acknowledges && !isForSyn) {
    if (!(flags & TCP_RST)) resetOther(segment, outlet);
  } else if (flags & TCP_RST) {
    if (acknowledges) end(tcb, outlet, "refused");
  } else if (flags & TCP_SYN) {
    takeSyn(tcb, segment, outlet.nowUs);
    if (acknowledges) {
      tcb.state = tcb.isClosing ? "FIN-WAIT-1" : "ESTABLISHED";
      establish(tcb, segment, tcb.receiveNext - 1, outlet);
      if (tcb.deadlines.retransmitUs === undefined) sendAcknowledgement(tcb, outlet);
    } else {
      // Both sides have opened at the same time (section 3.5, figure 7).
      tcb.state = "SYN-RECEIVED";
      sendSyn(tcb, outlet);
    }
  }
}

/** The segment belongs to an earlier connection (section 3.5.2). */
function resetOther(segment: Segment, outlet: Outlet): void {
  const nothing = { window: 0, options: {}, data: new Uint8Array(0) };
  outlet.transmit({ ...nothing, sequence: segment.acknowledgement, acknowledgement: 0, flags: TCP_RST });
}

function establish(tcb: Tcb, segment: Segment, position: number, outlet: Outlet): void {
  forgetSynTimeouts(tcb);
  // The handshake's acknowledgement does not grow the window.
  tcb.isCongestionLimited = false;
  takeAcknowledgement(tcb, segment, position, outlet);
  outlet.report({ kind: "connected" });
  sendMore(tcb, outlet);
}

/** Section 3.10.7.4. */
function arriveSynchronized(tcb: Tcb, segment: Segment, outlet: Outlet): void {
  const { flags, data } = segment;
  const position = positionOf(segment.sequence, tcb.receiveNext);
  if (isRepeatedSyn(tcb, segment, position)) {
    sendSyn(tcb, outlet);
    return;
  }
  if (!isAcceptable(tcb, position, data.length) || isOldDuplicate(tcb, segment, position, outlet.nowUs)) {
    noteRepeated(tcb, segment, position);
    if (!(flags & TCP_RST) && mayAnswer(tcb, segment, outlet.nowUs)) sendAcknowledgement(tcb, outlet);
    restartTimeWait(tcb, outlet.nowUs);
    return;
  }
  if (flags & TCP_RST) {
    // RFC 5961, section 3.2: only the exact number resets, so that a guess in the window does not.
    if (position === tcb.receiveNext) end(tcb, outlet, tcb.state === "SYN-RECEIVED" ? "refused" : "reset");
    else sendAcknowledgement(tcb, outlet);
    return;
  }
  if (flags & TCP_SYN && !(tcb.state === "SYN-RECEIVED" && flags & TCP_ACK)) {
    // RFC 5961, section 4.2.
    sendAcknowledgement(tcb, outlet);
    return;
  }
  if (!(flags & TCP_ACK)) return;
  noteTimestamp(tcb, segment, position, outlet.nowUs);
  if (!takeAcknowledgementOf(tcb, segment, position, outlet)) return;
  if (canReceive(tcb) && takeData(tcb, segment, position, outlet)) takeEnd(tcb, outlet);
  sendMore(tcb, outlet);
}

const isRepeatedSyn = (tcb: Tcb, { flags }: Segment, position: number): boolean =>
  tcb.state === "SYN-RECEIVED" &&
  (flags & (TCP_SYN | TCP_ACK | TCP_RST)) === TCP_SYN &&
  position === tcb.receiveNext - 1;

/** Table 6 of section 3.10.7.4. A SYN|ACK of a simultaneous open repeats the position before the window. */
function isAcceptable(tcb: Tcb, position: number, length: number): boolean {
  const { receiveNext, receiveEdge, state } = tcb;
  if (state === "SYN-RECEIVED" && position === receiveNext - 1) return true;
  const window = receiveEdge - receiveNext;
  if (length === 0)
    return window === 0 ? position === receiveNext : position >= receiveNext && position < receiveEdge;
  const last = position + length - 1;
  const isInside = (at: number): boolean => at >= receiveNext && at < receiveEdge;
  return window > 0 && (isInside(position) || isInside(last));
}

/** PAWS: RFC 7323, section 5.3. */
function isOldDuplicate(tcb: Tcb, segment: Segment, position: number, nowUs: number): boolean {
  const { options, flags } = segment;
  if (!tcb.usesTimestamps || options.timestamps === undefined || flags & TCP_RST) return false;
  const isOld = ((options.timestamps.value - tcb.recentTimestamp) | 0) < 0;
  return isOld && nowUs - tcb.recentTimestampUs < TIMESTAMP_LIFE_US && !isOvertaken(tcb, segment, position);
}

/** As Linux: an overtaken acknowledgement that changes nothing may report segments beyond a gap, so it is taken. */
const isOvertaken = (tcb: Tcb, { data, flags, acknowledgement }: Segment, position: number): boolean =>
  data.length === 0 &&
  (flags & (TCP_SYN | TCP_FIN)) === 0 &&
  position === tcb.receiveNext &&
  positionOf(acknowledgement, tcb.unacknowledged) === tcb.unacknowledged;

/** Limits the answers to segments without data, so that two hosts do not answer each other forever (RFC 5961, section 7). */
function mayAnswer(tcb: Tcb, { data, flags }: Segment, nowUs: number): boolean {
  if (data.length > 0 || flags & (TCP_SYN | TCP_FIN)) return true;
  if (tcb.answeredUs !== undefined && nowUs - tcb.answeredUs < ANSWER_INTERVAL_US) return false;
  tcb.answeredUs = nowUs;
  return true;
}

/** RFC 7323, section 4.3: the timestamp to echo is that of the segment at the last acknowledged position. */
function noteTimestamp(tcb: Tcb, { options }: Segment, position: number, nowUs: number): void {
  if (!tcb.usesTimestamps || options.timestamps === undefined || position > tcb.acknowledgedAt) return;
  tcb.recentTimestamp = options.timestamps.value;
  tcb.recentTimestampUs = nowUs;
}

/** Step 5, with the changes of state that follow from the acknowledgement of the own SYN or FIN. */
function takeAcknowledgementOf(tcb: Tcb, segment: Segment, position: number, outlet: Outlet): boolean {
  if (tcb.state === "SYN-RECEIVED") {
    const acknowledged = positionOf(segment.acknowledgement, tcb.unacknowledged);
    if (acknowledged <= tcb.unacknowledged || acknowledged > tcb.sent) {
      resetOther(segment, outlet);
      return false;
    }
    tcb.state = tcb.isClosing ? "FIN-WAIT-1" : "ESTABLISHED";
    tcb.window = segment.window * 2 ** tcb.sendShift;
    establish(tcb, segment, position, outlet);
    return true;
  }
  if (!takeAcknowledgement(tcb, segment, position, outlet)) return false;
  if (tcb.isClosing && tcb.unacknowledged === streamEnd(tcb)) finAcknowledged(tcb, outlet);
  return tcb.state !== "CLOSED";
}

function finAcknowledged(tcb: Tcb, outlet: Outlet): void {
  if (tcb.state === "FIN-WAIT-1") tcb.state = "FIN-WAIT-2";
  else if (tcb.state === "CLOSING") waitForStragglers(tcb, outlet);
  else if (tcb.state === "LAST-ACK") end(tcb, outlet);
}

const canReceive = ({ state }: Tcb): boolean =>
  state === "ESTABLISHED" || state === "FIN-WAIT-1" || state === "FIN-WAIT-2";

/** Step 8: the peer's FIN. */
function takeEnd(tcb: Tcb, outlet: Outlet): void {
  outlet.report({ kind: "end" });
  if (tcb.state === "ESTABLISHED") tcb.state = "CLOSE-WAIT";
  else if (tcb.state === "FIN-WAIT-1") tcb.state = "CLOSING";
  else if (tcb.state === "FIN-WAIT-2") waitForStragglers(tcb, outlet);
}

function waitForStragglers(tcb: Tcb, outlet: Outlet): void {
  tcb.state = "TIME-WAIT";
  tcb.deadlines.retransmitUs = undefined;
  tcb.deadlines.persistUs = undefined;
  tcb.deadlines.reorderUs = undefined;
  tcb.deadlines.paceUs = undefined;
  tcb.deadlines.probeUs = undefined;
  tcb.deadlines.forgetUs = outlet.nowUs + TIME_WAIT_US;
  outlet.report({ kind: "closed" });
}

/** The peer has repeated its FIN: it may do so for as long again. */
function restartTimeWait(tcb: Tcb, nowUs: number): void {
  if (tcb.state === "TIME-WAIT") tcb.deadlines.forgetUs = nowUs + TIME_WAIT_US;
}
