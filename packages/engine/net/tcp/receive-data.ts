/** The data and the FIN of an arriving segment (RFC 9293, section 3.10.7.4, steps 7 and 8), and when they are acknowledged. */
import { TCP_FIN } from "../../wire/tcp.ts";
import { noteMark } from "./ecn.ts";
import { firstCovered } from "./ranges.ts";
import { keepBytes, takeBytes, textOf } from "./receive-queue.ts";
import type { Outlet, Segment, Tcb } from "./tcb.ts";
import { sendAcknowledgement } from "./transmit.ts";

/** RFC 9293, section 3.8.6.3 allows 500 ms; Linux's minimum is 40 ms. */
const DELAY_US = 40_000;

/** @param position of the segment. @returns whether the peer's stream is now at its end. */
export function takeData(tcb: Tcb, segment: Segment, position: number, outlet: Outlet): boolean {
  const { data, flags } = segment;
  const hasFin = (flags & TCP_FIN) !== 0;
  const isUrgent = noteMark(tcb, segment);
  if (data.length === 0 && !hasFin) return false;
  if (hasFin && position + data.length <= tcb.receiveEdge) tcb.finAt ??= position + data.length;
  noteRepeated(tcb, segment, position);
  const hadGap = tcb.received.ranges.length > 0;
  const before = tcb.receiveNext;
  tcb.receivedMssBytes = Math.max(tcb.receivedMssBytes, data.length);
  const start = Math.max(position, before);
  const fresh = data.subarray(start - position, Math.max(0, tcb.receiveEdge - position));
  if (start > before && fresh.length > 0) keepBytes(tcb.received, start, fresh, tcb.discards);
  else if (fresh.length > 0) takeInOrder(tcb, fresh, outlet);
  const isEnd = tcb.finAt !== undefined && tcb.receiveNext === tcb.finAt;
  if (isEnd) tcb.receiveNext += 1;
  tcb.unansweredBytes += data.length;
  // As Linux: a sender hears of the first mark, and of the end of the echo, at once.
  const isPlain = tcb.receiveNext > before && !hadGap && !isEnd && !isUrgent && tcb.repeated === undefined;
  if (!isPlain || tcb.unansweredBytes >= 2 * tcb.receivedMssBytes) sendAcknowledgement(tcb, outlet);
  else tcb.deadlines.acknowledgeUs ??= outlet.nowUs + DELAY_US;
  return isEnd;
}

/** Notes the part of a segment that has arrived before, for a D-SACK (RFC 2883, section 4). */
export function noteRepeated(tcb: Tcb, { data, flags }: Segment, position: number): void {
  const end = position + data.length + (flags & TCP_FIN ? 1 : 0);
  if (!tcb.usesSack || end === position) return;
  tcb.repeated =
    position < tcb.receiveNext
      ? [position, Math.min(end, tcb.receiveNext)]
      : firstCovered(tcb.received.ranges, position, end);
}

function takeInOrder(tcb: Tcb, fresh: Uint8Array, outlet: Outlet): void {
  tcb.receiveNext += fresh.length;
  deliver(tcb, tcb.discards ? fresh.length : textOf(fresh), outlet);
  if (tcb.received.waiting.length === 0) return;
  for (const bytes of takeBytes(tcb.received, tcb.receiveNext)) {
    tcb.receiveNext += typeof bytes === "number" ? bytes : bytes.length;
    deliver(tcb, bytes, outlet);
  }
}

function deliver(tcb: Tcb, bytes: string | number, outlet: Outlet): void {
  tcb.counters.bytesReceived += typeof bytes === "number" ? bytes : bytes.length;
  if (tcb.isPaused) tcb.unread += typeof bytes === "number" ? "0".repeat(bytes) : bytes;
  else outlet.report({ kind: "data", bytes });
}
