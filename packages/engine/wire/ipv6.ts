/**
 * IPv6 packets (RFC 8200), without extension headers.
 *
 *     0                    4                6             7           8        24       40
 *     version, class, flow payload length   next header   hop limit   source   target   payload
 */
import { readU16, writeU16 } from "../base/bytes.ts";
import { checksum, pseudoHeaderSum6 } from "../base/checksum.ts";
import { ECN, PROTOCOL_ICMPV6, PROTOCOL_TCP, PROTOCOL_UDP } from "./ipv4.ts";
import { formatIpv6, readIpv6, writeIpv6 } from "./ipv6-address.ts";
import { endOf, type IpBefore, type Next, type Protocol } from "./protocol.ts";
import { dec8, dec16, hex, ipv6 } from "./show.ts";

export const IPV6_HEADER_BYTES = 40;
export const DEFAULT_HOP_LIMIT = 64;

export interface Ipv6Header {
  readonly trafficClass: number;
  readonly payloadBytes: number;
  readonly nextHeader: number;
  readonly hopLimit: number;
  readonly source: bigint;
  readonly target: bigint;
}

/** Decodes the header of a packet at `offset`; returns null if it is not a whole IPv6 packet. */
export function decodeIpv6(bytes: Uint8Array, offset: number): Ipv6Header | null {
  if (bytes.length < offset + IPV6_HEADER_BYTES || (bytes[offset] as number) >> 4 !== 6) return null;
  const payloadBytes = readU16(bytes, offset + 4);
  if (bytes.length < offset + IPV6_HEADER_BYTES + payloadBytes) return null;
  return {
    trafficClass: (readU16(bytes, offset) >> 4) & 0xff,
    payloadBytes,
    nextHeader: bytes[offset + 6] as number,
    hopLimit: bytes[offset + 7] as number,
    source: readIpv6(bytes, offset + 8),
    target: readIpv6(bytes, offset + 24),
  };
}

export interface Ipv6Fields {
  readonly source: bigint;
  readonly target: bigint;
  readonly nextHeader: number;
  readonly hopLimit?: number;
  readonly trafficClass?: number;
}

/** Returns a packet with a copy of the payload. */
export function encodeIpv6(fields: Ipv6Fields, payload: Uint8Array): Uint8Array {
  const packet = new Uint8Array(IPV6_HEADER_BYTES + payload.length);
  writeU16(packet, 0, 0x6000 | ((fields.trafficClass ?? 0) << 4));
  writeU16(packet, 4, payload.length);
  packet[6] = fields.nextHeader;
  packet[7] = fields.hopLimit ?? DEFAULT_HOP_LIMIT;
  writeIpv6(packet, 8, fields.source);
  writeIpv6(packet, 24, fields.target);
  packet.set(payload, IPV6_HEADER_BYTES);
  return packet;
}

/** The offset of the checksum in the upper layer's header, by protocol. */
const CHECKSUM_OFFSETS: Readonly<Record<number, number>> = {
  [PROTOCOL_TCP]: 16,
  [PROTOCOL_UDP]: 6,
  [PROTOCOL_ICMPV6]: 2,
};

/** Like `encodeIpv6`, and fills in the checksum of a TCP, UDP or ICMPv6 payload. */
export function encodeIpv6Checked(fields: Ipv6Fields, payload: Uint8Array): Uint8Array {
  const packet = encodeIpv6(fields, payload);
  const at = IPV6_HEADER_BYTES + (CHECKSUM_OFFSETS[fields.nextHeader] as number);
  writeU16(packet, at, 0);
  const pseudoSum = pseudoHeaderSum6(packet, 0, fields.nextHeader, payload.length);
  const sum = checksum(packet, IPV6_HEADER_BYTES, packet.length, pseudoSum);
  writeU16(packet, at, sum === 0 && fields.nextHeader === PROTOCOL_UDP ? 0xffff : sum);
  return packet;
}

const NO_NEXT_HEADER = 59;

export const noPayload = (nextHeader: number): string | undefined =>
  nextHeader === NO_NEXT_HEADER ? "no payload" : undefined;

/** What follows an IPv6 header or one of its extensions. */
export const afterIpv6 = (nextHeader: number, at: number, ip: IpBefore): Next | undefined =>
  nextHeader === NO_NEXT_HEADER
    ? undefined
    : { to: ["ip6", nextHeader], at, ip, unknown: `protocol ${nextHeader}` };

export const IPV6: Protocol = {
  name: "IPv6",
  least: [IPV6_HEADER_BYTES, "IPv6 header"],
  layout: [
    ["Version", 0, 1, (bytes, at) => String(bytes[at]! >> 4)],
    ["Traffic class", 0, 4, (bytes, at) => hex((readU16(bytes, at) >> 4) & 255, 2)],
    ["Differentiated services", 0, 4, (bytes, at) => String((readU16(bytes, at) >> 6) & 63)],
    ["Congestion", 0, 4, (bytes, at) => ECN[(bytes[at + 1]! >> 4) & 3] ?? "not capable"],
    ["Flow label", 1, 3, (bytes, at) => hex(((bytes[at]! & 15) << 16) | readU16(bytes, at + 1), 5)],
    ["Payload length", 4, 2, dec16],
    ["Next header", 6, 1, dec8, "ip6"],
    ["Hop limit", 7, 1, dec8],
    ["Source", 8, 16, ipv6],
    ["Destination", 24, 16, ipv6],
  ],
  note: ({ bytes, at }, seen) => {
    seen.source = formatIpv6(readIpv6(bytes, at + 8));
    seen.target = formatIpv6(readIpv6(bytes, at + 24));
  },
  check: (place) => {
    const { bytes, at } = place;
    const version = bytes[at]! >> 4;
    if (version !== 6) return { text: `IP version ${version}` };
    return endOf(place, readU16(bytes, at + 4), "IPv6 payload", at + IPV6_HEADER_BYTES);
  },
  line: ({ bytes, at }) => noPayload(bytes[at + 6]!),
  next: ({ bytes, at }) =>
    afterIpv6(bytes[at + 6]!, at + IPV6_HEADER_BYTES, {
      isIpv6: true,
      at,
      ttl: bytes[at + 7]!,
      payloadBytes: readU16(bytes, at + 4),
    }),
};
