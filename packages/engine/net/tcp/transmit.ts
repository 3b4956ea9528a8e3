/** Builds segments: the header's fields that follow from the state, acknowledgements, resets, and ranges of the send queue. */
import { TCP_ACK, TCP_FIN, TCP_PSH, TCP_RST } from "../../wire/tcp.ts";
import { echoFlag, markNewData } from "./ecn.ts";
import type { TcpOptions } from "./options.ts";
import { sequenceOf } from "./position.ts";
import type { Range } from "./ranges.ts";
import { reportedRanges } from "./receive-queue.ts";
import { readQueue } from "./send-queue.ts";
import { type Outlet, type Segment, streamEnd, type Tcb } from "./tcb.ts";
import { stampOf } from "./undo.ts";

const NOTHING = new Uint8Array(0);
const MAX_FIELD = 0xffff;

type Fields = Pick<Segment, "flags" | "window" | "options" | "data" | "codepoint"> & {
  readonly position: number;
};

/** Sends a segment, with the acknowledgement of all that has arrived if it has the flag. */
export function emit(tcb: Tcb, outlet: Outlet, { position, ...fields }: Fields): void {
  const acknowledges = (fields.flags & TCP_ACK) !== 0;
  tcb.counters.segmentsOut += 1;
  if (acknowledges) {
    tcb.unansweredBytes = 0;
    tcb.deadlines.acknowledgeUs = undefined;
    tcb.acknowledgedAt = tcb.receiveNext;
    tcb.repeated = undefined;
  }
  outlet.transmit({
    sequence: sequenceOf(position),
    acknowledgement: acknowledges ? sequenceOf(tcb.receiveNext) : 0,
    ...fields,
  });
}

export const timestampOf = (tcb: Tcb, nowUs: number): { value: number; echo: number } => ({
  value: stampOf(nowUs),
  echo: tcb.recentTimestamp,
});

/** The options of a segment after the handshake. */
function optionsOf(tcb: Tcb, nowUs: number): TcpOptions {
  const ranges = blocksOf(tcb);
  return {
    ...(tcb.usesTimestamps && { timestamps: timestampOf(tcb, nowUs) }),
    ...(ranges.length > 0 && {
      sack: ranges.map(([start, end]) => [sequenceOf(start), sequenceOf(end)] as const),
    }),
  };
}

/** What the peer hears of by SACK. A D-SACK is the first block (RFC 2883, section 4). */
function blocksOf({ usesSack, received, repeated }: Tcb): readonly Range[] {
  const ranges = usesSack && received.ranges.length > 0 ? reportedRanges(received) : [];
  return repeated === undefined ? ranges : [repeated, ...ranges];
}

/** Free bytes of the receive buffer; what waits behind a gap is already in the window. */
export const freeBytes = ({ settings, unread }: Tcb): number =>
  Math.max(0, settings.receiveBufferBytes - unread.length);

/**
 * Returns the window field, and notes the window's right edge. The edge never moves back, and moves forward by no less than a segment
 * or half of the buffer (RFC 9293, section 3.8.6.2.2).
 */
function advertise(tcb: Tcb, shift = tcb.receiveShift): number {
  const unit = 2 ** shift;
  const possible = tcb.receiveNext + freeBytes(tcb);
  const step = Math.min(tcb.settings.receiveBufferBytes / 2, tcb.receivedMssBytes);
  const edge = possible - tcb.receiveEdge >= step ? possible : tcb.receiveEdge;
  let field = Math.floor((edge - tcb.receiveNext) / unit);
  if (tcb.receiveNext + field * unit < tcb.receiveEdge) field += 1;
  field = Math.min(MAX_FIELD, Math.max(0, field));
  tcb.receiveEdge = Math.max(tcb.receiveEdge, tcb.receiveNext + field * unit);
  return field;
}

/** The window field of a SYN (RFC 7323, section 2.2). */
export const advertiseUnscaled = (tcb: Tcb): number => advertise(tcb, 0);

export function sendAcknowledgement(tcb: Tcb, outlet: Outlet): void {
  emit(tcb, outlet, {
    position: tcb.next,
    flags: TCP_ACK | echoFlag(tcb),
    window: advertise(tcb),
    options: optionsOf(tcb, outlet.nowUs),
    data: NOTHING,
  });
}

export function sendReset(tcb: Tcb, outlet: Outlet): void {
  emit(tcb, outlet, {
    position: tcb.next,
    flags: TCP_RST | TCP_ACK,
    window: 0,
    options: {},
    data: NOTHING,
  });
}

/** Sends a range of the stream, its FIN included. @param isNew nothing of it has been sent before. */
export function sendRange(tcb: Tcb, start: number, end: number, outlet: Outlet, isNew = false): void {
  const dataEnd = Math.min(end, tcb.queue.end);
  const data = readQueue(tcb.queue, start, dataEnd - start);
  const hasFin = tcb.isClosing && end === streamEnd(tcb);
  const pushes = data.length > 0 && dataEnd === tcb.queue.end;
  const mark = isNew && data.length > 0 ? markNewData(tcb) : { flags: 0 };
  tcb.lastSentUs = outlet.nowUs;
  if (tcb.deadlines.retransmitUs === undefined && tcb.deadlines.persistUs === undefined)
    tcb.deadlines.retransmitUs = outlet.nowUs + tcb.roundTrip.rtoUs;
  emit(tcb, outlet, {
    ...mark,
    position: start,
    flags: TCP_ACK | (hasFin ? TCP_FIN : 0) | (pushes ? TCP_PSH : 0) | echoFlag(tcb) | mark.flags,
    window: advertise(tcb),
    options: optionsOf(tcb, outlet.nowUs),
    data,
  });
}
