/**
 * Generic routing encapsulation (RFC 2784), with a key or a sequence number (RFC 2890).
 *
 *     0                2      4                     8          12
 *     C.KS, version    type   [checksum, reserved]  [key]      [sequence number]   packet
 */
import { readU16, readU32, writeU16, writeU32 } from "../base/bytes.ts";
import { checksum } from "../base/checksum.ts";
import { ETHERNET, ETHERTYPE_BRIDGED } from "./ethernet.ts";
import { type Fault, lacks, type Place, type Protocol, type Row } from "./protocol.ts";
import { dec32, flagNames, hex16 } from "./show.ts";

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

/** Checksum, key and sequence number take four bytes each. */
const headerBytesOf = (flags: number): number =>
  HEADER_BYTES + OPTION_BYTES * [HAS_CHECKSUM, HAS_KEY, HAS_SEQUENCE].filter((flag) => flags & flag).length;

/** Returns null if the packet is truncated, has a wrong checksum, or needs what this decoder does not support. */
export function decodeGre(packet: Uint8Array): Gre | null {
  if (packet.length < HEADER_BYTES) return null;
  const flags = readU16(packet, 0);
  const has = (flag: number): boolean => (flags & flag) !== 0;
  const end = headerBytesOf(flags);
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

const headerBytesAt = ({ bytes, at }: Place): number => headerBytesOf(readU16(bytes, at));
const FLAGS = [
  [HAS_CHECKSUM, "checksum"],
  [HAS_KEY, "key"],
  [HAS_SEQUENCE, "sequence number"],
] as const;
const OPTIONAL: readonly (readonly [flag: number, row: (offset: number) => Row])[] = [
  [HAS_CHECKSUM, (offset) => ["Checksum", offset, 2, hex16]],
  [HAS_KEY, (offset) => ["Key", offset, 4, dec32]],
  [HAS_SEQUENCE, (offset) => ["Sequence number", offset, 4, dec32]],
];

export const GRE: Protocol = {
  name: "GRE",
  isSized: true,
  least: [HEADER_BYTES, "GRE header"],
  layout: ({ bytes, at }) => {
    const flags = readU16(bytes, at);
    return [
      ["Flags", 0, 2, (header, start) => flagNames(readU16(header, start), FLAGS)],
      ["Version", 0, 2, (header, start) => String(readU16(header, start) & 7)],
      ["Protocol type", 2, 2, hex16, "ethertype"],
      ...OPTIONAL.filter(([flag]) => flags & flag).map(([, row], index) =>
        row(HEADER_BYTES + index * OPTION_BYTES),
      ),
    ];
  },
  length: headerBytesAt,
  check: (place): Fault | undefined => {
    const flags = readU16(place.bytes, place.at);
    if (flags & UNSUPPORTED)
      return { text: `GRE with the flags ${hex16(place.bytes, place.at)}`, isOther: true };
    return lacks(place, headerBytesAt(place), "GRE header");
  },
  next: (place) => {
    const type = readU16(place.bytes, place.at + 2);
    const to = type === ETHERTYPE_BRIDGED ? ETHERNET : (["ethertype", type] as const);
    return { to, at: place.at + headerBytesAt(place), isInside: true };
  },
};
