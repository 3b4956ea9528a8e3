/** IPv4 packets (RFC 791): header fields, building with checksum, fragments. Offsets count from the packet, not the frame. */
import { readU16, readU32, writeU16, writeU32 } from "../base/bytes.ts";
import { checksum } from "../base/checksum.ts";
import { formatIpv4 } from "./ipv4-address.ts";
import {
  endOf,
  type Fault,
  isOpen,
  lacks,
  type Names,
  type Place,
  type Protocol,
  type Seen,
} from "./protocol.ts";
import { dec8, dec16, flagNames, headOfBoth, hex, hex8, hex16, ipv4, optionsAt } from "./show.ts";

export const IPV4_HEADER_BYTES = 20;

/** Protocol numbers of IANA; others stand beside their codecs. */
export const PROTOCOL_ICMP = 1;
export const PROTOCOL_IPV4 = 4;
export const PROTOCOL_TCP = 6;
export const PROTOCOL_UDP = 17;
export const PROTOCOL_IPV6 = 41;
export const PROTOCOL_ESP = 50;
export const PROTOCOL_AH = 51;
export const PROTOCOL_ICMPV6 = 58;
export const PROTOCOL_PIM = 103;
export const PROTOCOL_SCTP = 132;

const FLAG_DONT_FRAGMENT = 0x4000;
const FLAG_MORE_FRAGMENTS = 0x2000;
const OFFSET_MASK = 0x1fff;

export interface Ipv4Header {
  readonly headerBytes: number;
  readonly typeOfService: number;
  /** Length of header and payload, from the header. */
  readonly totalBytes: number;
  readonly id: number;
  readonly dontFragment: boolean;
  readonly moreFragments: boolean;
  /** Offset of the payload in the whole datagram, in bytes. */
  readonly fragmentOffset: number;
  readonly ttl: number;
  readonly protocol: number;
  readonly source: number;
  readonly target: number;
}

/** Decodes the header of a packet at `offset`; returns null if it is not a whole IPv4 packet. Does not check the checksum. */
export function decodeIpv4(bytes: Uint8Array, offset: number): Ipv4Header | null {
  if (bytes.length < offset + IPV4_HEADER_BYTES || (bytes[offset] as number) >> 4 !== 4) return null;
  const headerBytes = ((bytes[offset] as number) & 15) * 4;
  const totalBytes = readU16(bytes, offset + 2);
  if (headerBytes < IPV4_HEADER_BYTES || totalBytes < headerBytes || bytes.length < offset + totalBytes)
    return null;
  const flags = readU16(bytes, offset + 6);
  return {
    headerBytes,
    typeOfService: bytes[offset + 1] as number,
    totalBytes,
    id: readU16(bytes, offset + 4),
    dontFragment: (flags & FLAG_DONT_FRAGMENT) !== 0,
    moreFragments: (flags & FLAG_MORE_FRAGMENTS) !== 0,
    fragmentOffset: (flags & OFFSET_MASK) * 8,
    ttl: bytes[offset + 8] as number,
    protocol: bytes[offset + 9] as number,
    source: readU32(bytes, offset + 12),
    target: readU32(bytes, offset + 16),
  };
}

export interface Ipv4Fields {
  readonly source: number;
  readonly target: number;
  readonly protocol: number;
  readonly ttl?: number;
  readonly id?: number;
  readonly dontFragment?: boolean;
  readonly moreFragments?: boolean;
  /** In bytes, a multiple of 8. */
  readonly fragmentOffset?: number;
  readonly typeOfService?: number;
}

export const DEFAULT_TTL = 64;

/** Writes the 20 bytes of a header at `offset`, checksum included, for `payloadBytes` that follow. */
export function writeIpv4Header(
  bytes: Uint8Array,
  offset: number,
  fields: Ipv4Fields,
  payloadBytes: number,
): void {
  bytes[offset] = 0x45;
  bytes[offset + 1] = fields.typeOfService ?? 0;
  writeU16(bytes, offset + 2, IPV4_HEADER_BYTES + payloadBytes);
  writeU16(bytes, offset + 4, fields.id ?? 0);
  const flags =
    (fields.dontFragment ? FLAG_DONT_FRAGMENT : 0) | (fields.moreFragments ? FLAG_MORE_FRAGMENTS : 0);
  writeU16(bytes, offset + 6, flags | ((fields.fragmentOffset ?? 0) / 8));
  bytes[offset + 8] = fields.ttl ?? DEFAULT_TTL;
  bytes[offset + 9] = fields.protocol;
  writeU16(bytes, offset + 10, 0);
  writeU32(bytes, offset + 12, fields.source);
  writeU32(bytes, offset + 16, fields.target);
  writeIpv4Checksum(bytes, offset);
}

/** Recomputes the header checksum after a field was changed in place. */
export function writeIpv4Checksum(bytes: Uint8Array, offset: number): void {
  writeU16(bytes, offset + 10, 0);
  const end = offset + ((bytes[offset] as number) & 15) * 4;
  writeU16(bytes, offset + 10, checksum(bytes, offset, end));
}

/**
 * Encodes a datagram for links of `mtuBytes`: one packet, or fragments that share the id.
 * @param payload copied.
 */
export function encodeIpv4(fields: Ipv4Fields, payload: Uint8Array, mtuBytes = 65_535): Uint8Array[] {
  if (IPV4_HEADER_BYTES + payload.length <= mtuBytes) return [encodePacket(fields, payload)];
  const step = (mtuBytes - IPV4_HEADER_BYTES) & ~7;
  const packets: Uint8Array[] = [];
  for (let start = 0; start < payload.length; start += step) {
    const piece = payload.subarray(start, start + step);
    const moreFragments = start + step < payload.length;
    packets.push(
      encodePacket({ ...fields, dontFragment: false, moreFragments, fragmentOffset: start }, piece),
    );
  }
  return packets;
}

function encodePacket(fields: Ipv4Fields, payload: Uint8Array): Uint8Array {
  const packet = new Uint8Array(IPV4_HEADER_BYTES + payload.length);
  writeIpv4Header(packet, 0, fields, payload.length);
  packet.set(payload, IPV4_HEADER_BYTES);
  return packet;
}

const headerBytesAt = ({ bytes, at }: Place): number => (bytes[at]! & 15) * 4;

/** The last two bits of the type of service (RFC 3168). */
export const ECN: Names = { 1: "capable", 2: "capable", 3: "congestion" };
const FLAGS = [
  [FLAG_DONT_FRAGMENT, "don't fragment"],
  [FLAG_MORE_FRAGMENTS, "more fragments"],
] as const;

export const IPV4: Protocol = {
  name: "IPv4",
  least: [IPV4_HEADER_BYTES, "IPv4 header"],
  layout: [
    ["Version", 0, 1, (bytes, at) => String(bytes[at]! >> 4)],
    ["Header length", 0, 1, (bytes, at) => `${(bytes[at]! & 15) * 4} bytes`],
    ["Type of service", 1, 1, hex8],
    ["Differentiated services", 1, 1, (bytes, at) => String(bytes[at]! >> 2)],
    ["Congestion", 1, 1, (bytes, at) => ECN[bytes[at]! & 3] ?? "not capable"],
    ["Total length", 2, 2, dec16],
    ["Identification", 4, 2, hex16],
    ["Flags", 6, 1, (bytes, at) => flagNames(bytes[at]! << 8, FLAGS)],
    ["Fragment offset", 6, 2, (bytes, at) => String((readU16(bytes, at) & OFFSET_MASK) * 8)],
    ["Time to live", 8, 1, dec8],
    ["Protocol", 9, 1, dec8, "ip"],
    ["Header checksum", 10, 2, hex16],
    ["Source", 12, 4, ipv4],
    ["Destination", 16, 4, ipv4],
  ],
  length: headerBytesAt,
  list: (place) =>
    optionsAt(
      place,
      place.at + IPV4_HEADER_BYTES,
      Math.min(place.end, place.at + headerBytesAt(place)),
      { 0: ["End of options"], 1: ["No operation"], 148: ["Router alert", 2, dec16] },
      headOfBoth,
    ),
  note: ({ bytes, at }, seen) => {
    seen.source = formatIpv4(readU32(bytes, at + 12));
    seen.target = formatIpv4(readU32(bytes, at + 16));
  },
  check: checkIpv4,
  line: ({ bytes, at, ...place }, seen) => {
    const fragment = readU16(bytes, at + 6);
    const more = (fragment & FLAG_MORE_FRAGMENTS) !== 0;
    const offset = (fragment & OFFSET_MASK) * 8;
    if (offset === 0 && !more) return undefined;
    const payloadBytes = readU16(bytes, at + 2) - headerBytesAt({ bytes, at, ...place });
    return fragmentText(seen, {
      protocol: bytes[at + 9]!,
      id: hex(readU16(bytes, at + 4)),
      offset,
      payloadBytes,
      more,
    });
  },
  next: (place) => {
    const { bytes, at } = place;
    const fragment = readU16(bytes, at + 6);
    if ((fragment & OFFSET_MASK) !== 0) return undefined;
    const [protocol, ttl, headerBytes] = [bytes[at + 9]!, bytes[at + 8]!, headerBytesAt(place)];
    return {
      to: ["ip", protocol],
      at: at + headerBytes,
      ip: { isIpv6: false, at, ttl, payloadBytes: readU16(bytes, at + 2) - headerBytes },
      unknown: `protocol ${protocol}`,
      isInside: (fragment & FLAG_MORE_FRAGMENTS) !== 0,
      isPartial: (fragment & FLAG_MORE_FRAGMENTS) !== 0,
    };
  },
};

function checkIpv4(place: Place): Fault | number {
  const { bytes, at } = place;
  const version = bytes[at]! >> 4;
  const headerBytes = headerBytesAt(place);
  const totalBytes = readU16(bytes, at + 2);
  if (version !== 4) return { text: `IP version ${version}` };
  if (headerBytes < IPV4_HEADER_BYTES) return { text: `IPv4 header of ${headerBytes} bytes` };
  if (totalBytes < headerBytes) return { text: `IPv4 length ${totalBytes}, header ${headerBytes}` };
  const cut = isOpen(place) ? lacks(place, headerBytes, "IPv4 header") : undefined;
  return cut ?? endOf(place, totalBytes, "IPv4");
}

export interface FragmentPlace {
  readonly protocol: number;
  readonly id: string;
  readonly offset: number;
  readonly payloadBytes: number;
  readonly more: boolean;
}

export function fragmentText(
  seen: Seen,
  { protocol, id, offset, payloadBytes, more }: FragmentPlace,
): string {
  const name = seen.nameOf("ip", protocol) ?? `protocol ${protocol}`;
  return `${more ? "Fragment" : "Last fragment"} of ${name} id=${id} offset=${offset} len=${payloadBytes}`;
}
