/**
 * Cuts the stream of a connection into BGP messages. TCP may end a segment anywhere in a message.
 *
 * Each byte is copied once, so the time is linear in the stream for segments of any size.
 */
import { readU16, writeU16 } from "../base/bytes.ts";
import {
  BGP,
  BGP_HEADER_BYTES,
  BGP_MAX_BYTES,
  type BgpNotification,
  ERROR,
  HEADER_ERROR,
  MARKER_BYTES,
} from "./bgp.ts";

/** The message that has not ended yet. Plain data. */
export interface BgpStream {
  /** Room for the header, then for the whole message. */
  bytes: Uint8Array;
  filled: number;
}

export interface BgpMessage {
  readonly type: number;
  readonly body: Uint8Array;
}

export interface TakenMessages {
  readonly messages: readonly BgpMessage[];
  /** The header behind these messages is wrong (RFC 4271, section 6.1): the session ends with this notification. */
  readonly error?: BgpNotification;
}

export const makeBgpStream = (): BgpStream => ({ bytes: new Uint8Array(BGP_HEADER_BYTES), filled: 0 });

/** The shortest message of each type (section 4). */
const LEAST_BYTES: Readonly<Record<number, number>> = {
  [BGP.open]: 29,
  [BGP.update]: 23,
  [BGP.notification]: 21,
  [BGP.keepalive]: BGP_HEADER_BYTES,
  // RFC 7313 has an error of its own for another length.
  [BGP.routeRefresh]: BGP_HEADER_BYTES,
};

/** Takes received bytes. @param mostBytes 65,535 if both ends have extended messages (RFC 8654), which OPEN and KEEPALIVE do not use. */
export function takeMessages(stream: BgpStream, data: Uint8Array, mostBytes = BGP_MAX_BYTES): TakenMessages {
  const messages: BgpMessage[] = [];
  let at = 0;
  for (;;) {
    const count = Math.min(stream.bytes.length - stream.filled, data.length - at);
    stream.bytes.set(data.subarray(at, at + count), stream.filled);
    stream.filled += count;
    at += count;
    if (stream.filled < stream.bytes.length) return { messages };
    if (stream.filled === BGP_HEADER_BYTES) {
      const error = headerFault(stream.bytes, mostBytes);
      if (error !== undefined) return { messages, error };
      const length = readU16(stream.bytes, MARKER_BYTES);
      if (length > BGP_HEADER_BYTES) {
        const whole = new Uint8Array(length);
        whole.set(stream.bytes);
        stream.bytes = whole;
        continue;
      }
    }
    messages.push({
      type: stream.bytes[BGP_HEADER_BYTES - 1]!,
      body: stream.bytes.subarray(BGP_HEADER_BYTES),
    });
    Object.assign(stream, makeBgpStream());
  }
}

function headerFault(header: Uint8Array, mostBytes: number): BgpNotification | undefined {
  if (header.subarray(0, MARKER_BYTES).some((byte) => byte !== 0xff))
    return { code: ERROR.header, subcode: HEADER_ERROR.notSynchronized, data: new Uint8Array(0) };
  const type = header[BGP_HEADER_BYTES - 1]!;
  const length = readU16(header, MARKER_BYTES);
  const most = type === BGP.open || type === BGP.keepalive ? BGP_MAX_BYTES : mostBytes;
  const least = LEAST_BYTES[type];
  if (length < (least ?? BGP_HEADER_BYTES) || length > most || (type === BGP.keepalive && length !== least)) {
    const data = new Uint8Array(2);
    writeU16(data, 0, length);
    return { code: ERROR.header, subcode: HEADER_ERROR.badLength, data };
  }
  return least === undefined
    ? { code: ERROR.header, subcode: HEADER_ERROR.badType, data: Uint8Array.of(type) }
    : undefined;
}
