/**
 * ICMP (RFC 792).
 *
 *     0      1      2          4                8
 *     type   code   checksum   rest of header   data
 */
import { readU16, writeU16, writeU32 } from "../base/bytes.ts";
import { checksum } from "../base/checksum.ts";

export const ICMP_HEADER_BYTES = 8;

export const ICMP_ECHO_REPLY = 0;
export const ICMP_UNREACHABLE = 3;
export const ICMP_REDIRECT = 5;
export const ICMP_ECHO = 8;
export const ICMP_TIME_EXCEEDED = 11;

export const UNREACHABLE_NETWORK = 0;
export const UNREACHABLE_HOST = 1;
export const UNREACHABLE_PROTOCOL = 2;
export const UNREACHABLE_PORT = 3;
export const FRAGMENTATION_NEEDED = 4;
export const ADMINISTRATIVELY_PROHIBITED = 13;

/** Returns an ICMP message with its checksum; `rest` is the 32-bit word after it. */
export function encodeIcmp(type: number, code: number, rest: number, data: Uint8Array): Uint8Array {
  const message = new Uint8Array(ICMP_HEADER_BYTES + data.length);
  message.set(data, ICMP_HEADER_BYTES);
  writeIcmpHeader(message, type, code, rest);
  return message;
}

/** Writes the header, checksum included, of a message that already contains its data. */
export function writeIcmpHeader(message: Uint8Array, type: number, code: number, rest: number): void {
  message[0] = type;
  message[1] = code;
  writeU16(message, 2, 0);
  writeU32(message, 4, rest);
  writeU16(message, 2, checksum(message));
}

export const encodeEcho = (id: number, sequence: number, data: Uint8Array): Uint8Array =>
  encodeIcmp(ICMP_ECHO, 0, id * 0x1_0000 + sequence, data);

/** Rewrites an earlier echo request in place; its data stay. */
export const rewriteEcho = (message: Uint8Array, id: number, sequence: number): void =>
  writeIcmpHeader(message, ICMP_ECHO, 0, id * 0x1_0000 + sequence);

export const echoId = (message: Uint8Array): number => readU16(message, 4);
export const echoSequence = (message: Uint8Array): number => readU16(message, 6);
