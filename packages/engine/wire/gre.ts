/**
 * Generic routing encapsulation (RFC 2784), with a key or a sequence number (RFC 2890).
 *
 *     0                2      4                     8          12
 *     C.KS, version    type   [checksum, reserved]  [key]      [sequence number]   packet
 */
import { readU16, readU32, writeU16, writeU32 } from "../base/bytes.ts";
import { checksum } from "../base/checksum.ts";

export const PROTOCOL_GRE = 47;
const HEADER_BYTES = 4;
const OPTION_BYTES = 4;

const HAS_CHECKSUM = 0x8000;
const HAS_KEY = 0x2000;
const HAS_SEQUENCE = 0x1000;
/** Bits that a receiver without source routing drops a packet for (RFC 2784, section 2.3), and the version. */
const UNSUPPORTED = 0x4c07;

export interface Gre {
  readonly etherType: number;
  readonly key: number | undefined;
  readonly payload: Uint8Array;
}

export const greHeaderBytes = (key: number | undefined): number =>
  key === undefined ? HEADER_BYTES : HEADER_BYTES + OPTION_BYTES;

/** Returns null if the packet is truncated, has a wrong checksum, or needs what this decoder does not support. */
export function decodeGre(packet: Uint8Array): Gre | null {
  if (packet.length < HEADER_BYTES) return null;
  const flags = readU16(packet, 0);
  const has = (flag: number): boolean => (flags & flag) !== 0;
  const options = [HAS_CHECKSUM, HAS_KEY, HAS_SEQUENCE].filter(has).length;
  const end = HEADER_BYTES + options * OPTION_BYTES;
  if (has(UNSUPPORTED) || packet.length < end) return null;
  if (has(HAS_CHECKSUM) && checksum(packet) !== 0) return null;
  const keyAt = HEADER_BYTES + (has(HAS_CHECKSUM) ? OPTION_BYTES : 0);
  return {
    etherType: readU16(packet, 2),
    key: has(HAS_KEY) ? readU32(packet, keyAt) : undefined,
    payload: packet.subarray(end),
  };
}

/** Returns a packet with a copy of the payload. */
export function encodeGre({ etherType, key, payload }: Gre): Uint8Array {
  const start = greHeaderBytes(key);
  const packet = new Uint8Array(start + payload.length);
  writeU16(packet, 2, etherType);
  if (key !== undefined) {
    writeU16(packet, 0, HAS_KEY);
    writeU32(packet, HEADER_BYTES, key);
  }
  packet.set(payload, start);
  return packet;
}
