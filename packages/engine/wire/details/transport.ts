/** ICMP (RFC 792), ICMPv6 (RFC 4443), UDP (RFC 768), TCP (RFC 9293). */
import { readU16 } from "../../base/bytes.ts";
import {
  ICMP_ECHO,
  ICMP_ECHO_REPLY,
  ICMP_HEADER_BYTES,
  ICMP_TIME_EXCEEDED,
  ICMP_UNREACHABLE,
} from "../icmp.ts";
import { TCP_HEADER_BYTES } from "../tcp.ts";
import { readDhcp, readDns } from "./application.ts";
import { readDhcpv6 } from "./dhcpv6.ts";
import {
  dec8,
  dec16,
  dec32,
  flagNames,
  hex16,
  makeLayer,
  named,
  type Reader,
  type Row,
  readRows,
} from "./layer.ts";
import { readRip } from "./rip.ts";
import { readVxlan } from "./vxlan.ts";

const ECHO_V6 = 128;
const ECHO_REPLY_V6 = 129;

const TYPES: Readonly<Record<number, string>> = {
  [ICMP_ECHO_REPLY]: "echo reply",
  [ICMP_UNREACHABLE]: "destination unreachable",
  5: "redirect",
  [ICMP_ECHO]: "echo request",
  [ICMP_TIME_EXCEEDED]: "time exceeded",
};
const TYPES_V6: Readonly<Record<number, string>> = {
  1: "destination unreachable",
  2: "packet too big",
  3: "time exceeded",
  [ECHO_V6]: "echo request",
  [ECHO_REPLY_V6]: "echo reply",
  133: "router solicitation",
  134: "router advertisement",
  135: "neighbour solicitation",
  136: "neighbour advertisement",
};

const icmpRows = (names: Readonly<Record<number, string>>): readonly Row[] => [
  ["Type", 0, 1, (bytes, at) => named(bytes[at]!, names[bytes[at]!])],
  ["Code", 1, 1, dec8],
  ["Checksum", 2, 2, hex16],
];
const ECHO_ROWS: readonly Row[] = [
  ["Identifier", 4, 2, hex16],
  ["Sequence number", 6, 2, dec16],
];

const icmpReader =
  (name: string, names: Readonly<Record<number, string>>, echoes: readonly number[]): Reader =>
  (bytes, at, end) => {
    const rows = [...icmpRows(names), ...(at < end && echoes.includes(bytes[at]!) ? ECHO_ROWS : [])];
    return { layer: makeLayer(name, at, ICMP_HEADER_BYTES, end, readRows(bytes, at, end, rows)) };
  };

export const readIcmp = icmpReader("ICMP", TYPES, [ICMP_ECHO, ICMP_ECHO_REPLY]);
export const readIcmpv6 = icmpReader("ICMPv6", TYPES_V6, [ECHO_V6, ECHO_REPLY_V6]);

const UDP: readonly Row[] = [
  ["Source port", 0, 2, dec16],
  ["Destination port", 2, 2, dec16],
  ["Length", 4, 2, dec16],
  ["Checksum", 6, 2, hex16],
];
const UDP_HEADER_BYTES = 8;

const BY_PORT: Readonly<Record<number, Reader>> = {
  53: readDns,
  67: readDhcp,
  68: readDhcp,
  520: readRip,
  546: readDhcpv6,
  547: readDhcpv6,
  4789: readVxlan,
};

export const readUdp: Reader = (bytes, at, end) => {
  const layer = makeLayer("UDP", at, UDP_HEADER_BYTES, end, readRows(bytes, at, end, UDP));
  if (at + UDP_HEADER_BYTES > end) return { layer };
  const read = BY_PORT[readU16(bytes, at + 2)] ?? BY_PORT[readU16(bytes, at)];
  return { layer, next: read && { read, at: at + UDP_HEADER_BYTES, end } };
};

const TCP_FLAGS = [
  [0x80, "CWR"],
  [0x40, "ECE"],
  [0x20, "URG"],
  [0x10, "ACK"],
  [0x08, "PSH"],
  [0x04, "RST"],
  [0x02, "SYN"],
  [0x01, "FIN"],
] as const;

const TCP: readonly Row[] = [
  ["Source port", 0, 2, dec16],
  ["Destination port", 2, 2, dec16],
  ["Sequence number", 4, 4, dec32],
  ["Acknowledgment number", 8, 4, dec32],
  ["Header length", 12, 1, (bytes, at) => `${(bytes[at]! >> 4) * 4} bytes`],
  ["Flags", 13, 1, (bytes, at) => flagNames(bytes[at]!, TCP_FLAGS)],
  ["Window", 14, 2, dec16],
  ["Checksum", 16, 2, hex16],
  ["Urgent pointer", 18, 2, dec16],
];

export const readTcp: Reader = (bytes, at, end) => {
  const stated = at + 12 < end ? (bytes[at + 12]! >> 4) * 4 : TCP_HEADER_BYTES;
  return {
    layer: makeLayer("TCP", at, Math.max(stated, TCP_HEADER_BYTES), end, readRows(bytes, at, end, TCP)),
  };
};
