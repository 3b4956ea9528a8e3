/** ARP (RFC 826), IPv4 (RFC 791) and IPv6 (RFC 8200). */
import { readU16 } from "../../base/bytes.ts";
import { ARP_BYTES, ARP_REPLY, ARP_REQUEST } from "../arp.ts";
import { IPV4_HEADER_BYTES, PROTOCOL_ICMP, PROTOCOL_ICMPV6, PROTOCOL_TCP, PROTOCOL_UDP } from "../ipv4.ts";
import { IPV6_HEADER_BYTES } from "../ipv6.ts";
import {
  dec8,
  dec16,
  flagNames,
  hex8,
  hex16,
  ipv4,
  ipv6,
  mac,
  makeLayer,
  type Next,
  named,
  type Reader,
  type Row,
  readRows,
} from "./layer.ts";
import { readIcmp, readIcmpv6, readTcp, readUdp } from "./transport.ts";

const ARP_NAMES: Readonly<Record<number, string>> = { [ARP_REQUEST]: "request", [ARP_REPLY]: "reply" };

const ARP: readonly Row[] = [
  ["Hardware type", 0, 2, dec16],
  ["Protocol type", 2, 2, hex16],
  ["Hardware length", 4, 1, dec8],
  ["Protocol length", 5, 1, dec8],
  ["Opcode", 6, 2, (bytes, at) => named(readU16(bytes, at), ARP_NAMES[readU16(bytes, at)])],
  ["Sender MAC", 8, 6, mac],
  ["Sender IP", 14, 4, ipv4],
  ["Target MAC", 18, 6, mac],
  ["Target IP", 24, 4, ipv4],
];

export const readArp: Reader = (bytes, at, end) => ({
  layer: makeLayer("ARP", at, ARP_BYTES, end, readRows(bytes, at, end, ARP)),
});

const PROTOCOLS: Readonly<Record<number, string>> = {
  [PROTOCOL_ICMP]: "ICMP",
  [PROTOCOL_TCP]: "TCP",
  [PROTOCOL_UDP]: "UDP",
  [PROTOCOL_ICMPV6]: "ICMPv6",
  2: "IGMP",
  47: "GRE",
  89: "OSPF",
};

const READERS: Readonly<Record<number, Reader>> = {
  [PROTOCOL_ICMP]: readIcmp,
  [PROTOCOL_TCP]: readTcp,
  [PROTOCOL_UDP]: readUdp,
  [PROTOCOL_ICMPV6]: readIcmpv6,
};

const protocol = (bytes: Uint8Array, at: number): string => named(bytes[at]!, PROTOCOLS[bytes[at]!]);

const FRAGMENT_FLAGS = [
  [0x4000, "don't fragment"],
  [0x2000, "more fragments"],
] as const;
const OFFSET_MASK = 0x1fff;

const IPV4: readonly Row[] = [
  ["Version", 0, 1, (bytes, at) => String(bytes[at]! >> 4)],
  ["Header length", 0, 1, (bytes, at) => `${(bytes[at]! & 15) * 4} bytes`],
  ["Type of service", 1, 1, hex8],
  ["Total length", 2, 2, dec16],
  ["Identification", 4, 2, hex16],
  ["Flags", 6, 2, (bytes, at) => flagNames(readU16(bytes, at), FRAGMENT_FLAGS)],
  ["Fragment offset", 6, 2, (bytes, at) => String((readU16(bytes, at) & OFFSET_MASK) * 8)],
  ["Time to live", 8, 1, dec8],
  ["Protocol", 9, 1, protocol],
  ["Header checksum", 10, 2, hex16],
  ["Source", 12, 4, ipv4],
  ["Destination", 16, 4, ipv4],
];

export const readIpv4Layer: Reader = (bytes, at, end) => {
  const headerBytes = at < end ? (bytes[at]! & 15) * 4 : 0;
  const layer = makeLayer(
    "IPv4",
    at,
    Math.max(headerBytes, IPV4_HEADER_BYTES),
    end,
    readRows(bytes, at, end, IPV4),
  );
  return { layer, next: afterIpv4(bytes, at, end, headerBytes) };
};

function afterIpv4(bytes: Uint8Array, at: number, end: number, headerBytes: number): Next | undefined {
  if (headerBytes < IPV4_HEADER_BYTES || at + headerBytes > end) return undefined;
  const totalBytes = readU16(bytes, at + 2);
  // A later fragment begins in the middle of its payload.
  const isFirst = (readU16(bytes, at + 6) & OFFSET_MASK) === 0;
  const read = isFirst ? READERS[bytes[at + 9]!] : undefined;
  return read && { read, at: at + headerBytes, end: Math.min(end, at + Math.max(totalBytes, headerBytes)) };
}

const IPV6: readonly Row[] = [
  ["Version", 0, 1, (bytes, at) => String(bytes[at]! >> 4)],
  [
    "Traffic class",
    0,
    2,
    (bytes, at) => `0x${((readU16(bytes, at) >> 4) & 255).toString(16).padStart(2, "0")}`,
  ],
  [
    "Flow label",
    1,
    3,
    (bytes, at) => `0x${(((bytes[at]! & 15) << 16) | readU16(bytes, at + 1)).toString(16).padStart(5, "0")}`,
  ],
  ["Payload length", 4, 2, dec16],
  ["Next header", 6, 1, protocol],
  ["Hop limit", 7, 1, dec8],
  ["Source", 8, 16, ipv6],
  ["Destination", 24, 16, ipv6],
];

export const readIpv6Layer: Reader = (bytes, at, end) => {
  const start = at + IPV6_HEADER_BYTES;
  const read = start <= end ? READERS[bytes[at + 6]!] : undefined;
  return {
    layer: makeLayer("IPv6", at, IPV6_HEADER_BYTES, end, readRows(bytes, at, end, IPV6)),
    next: read && { read, at: start, end: Math.min(end, start + readU16(bytes, at + 4)) },
  };
};
