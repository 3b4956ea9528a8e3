/**
 * TCP segments (RFC 9293 section 3.1).
 *
 *     0        2        4     8     12        13      14       16         18       20
 *     source   target   seq   ack   offset    flags   window   checksum   urgent   options, data
 */
import { readU16, readU32, writeU16, writeU32 } from "../base/bytes.ts";
import { foldChecksum, pseudoHeaderSum4, sumWords } from "../base/checksum.ts";
import { BGP_PORT } from "./bgp.ts";
import { PROTOCOL_TCP } from "./ipv4.ts";
import { lacks, type Place, type Protocol } from "./protocol.ts";
import { dec8, dec16, dec32, flagNames, headOfBoth, hex16, type Options, optionsAt } from "./show.ts";

export const TCP_HEADER_BYTES = 20;

export const TCP_FIN = 0x01;
export const TCP_SYN = 0x02;
export const TCP_RST = 0x04;
export const TCP_PSH = 0x08;
export const TCP_ACK = 0x10;
export const TCP_URG = 0x20;
export const TCP_ECE = 0x40;
export const TCP_CWR = 0x80;

export interface Tcp {
  readonly sourcePort: number;
  readonly targetPort: number;
  readonly sequence: number;
  readonly acknowledgement: number;
  readonly flags: number;
  readonly window: number;
  /** A multiple of 4 bytes. */
  readonly options: Uint8Array;
  readonly data: Uint8Array;
}

/** Returns null if it is not a whole segment; options and data are views. Does not check the checksum. */
export function decodeTcp(segment: Uint8Array): Tcp | null {
  if (segment.length < TCP_HEADER_BYTES) return null;
  const headerBytes = ((segment[12] as number) >> 4) * 4;
  if (headerBytes < TCP_HEADER_BYTES || headerBytes > segment.length) return null;
  return {
    sourcePort: readU16(segment, 0),
    targetPort: readU16(segment, 2),
    sequence: readU32(segment, 4),
    acknowledgement: readU32(segment, 8),
    flags: segment[13] as number,
    window: readU16(segment, 14),
    options: segment.subarray(TCP_HEADER_BYTES, headerBytes),
    data: segment.subarray(headerBytes),
  };
}

/** @param pseudoSum of the pseudo header (which needs the length: `tcpBytes`). */
export function encodeTcp(tcp: Tcp, pseudoSum: number): Uint8Array {
  const segment = new Uint8Array(tcpBytes(tcp));
  const headerBytes = TCP_HEADER_BYTES + tcp.options.length;
  writeU16(segment, 0, tcp.sourcePort);
  writeU16(segment, 2, tcp.targetPort);
  writeU32(segment, 4, tcp.sequence);
  writeU32(segment, 8, tcp.acknowledgement);
  segment[12] = (headerBytes / 4) << 4;
  segment[13] = tcp.flags;
  writeU16(segment, 14, tcp.window);
  segment.set(tcp.options, TCP_HEADER_BYTES);
  segment.set(tcp.data, headerBytes);
  writeU16(segment, 16, foldChecksum(sumWords(segment, 0, segment.length, pseudoSum)));
  return segment;
}

export const tcpBytes = ({ options, data }: Pick<Tcp, "options" | "data">): number =>
  TCP_HEADER_BYTES + options.length + data.length;

/** Encodes a segment for IPv4. */
export const encodeTcp4 = (source: number, target: number, tcp: Tcp): Uint8Array =>
  encodeTcp(tcp, pseudoHeaderSum4(source, target, PROTOCOL_TCP, tcpBytes(tcp)));

/** The ports whose protocols have messages that a segment shows by itself. */
const OPEN_PORTS: readonly number[] = [BGP_PORT];

/** In the order of summaries. */
const FLAGS = [
  [TCP_FIN, "FIN"],
  [TCP_SYN, "SYN"],
  [TCP_RST, "RST"],
  [TCP_PSH, "PSH"],
  [TCP_ACK, "ACK"],
  [TCP_URG, "URG"],
  [TCP_ECE, "ECE"],
  [TCP_CWR, "CWR"],
] as const;
const OPTIONS: Options = {
  0: ["End of options"],
  1: ["No operation"],
  2: ["Maximum segment size", 2, dec16],
  3: ["Window scale", 1, dec8],
  4: ["SACK permitted"],
  5: ["SACK edges", 4, dec32],
  8: [
    "Timestamps",
    {
      rows: [
        ["Timestamp", 2, 4, dec32],
        ["Timestamp echo", 6, 4, dec32],
      ],
    },
  ],
};
const headerBytesAt = ({ bytes, at }: Place): number => (bytes[at + 12]! >> 4) * 4;
const payloadBytesOf = ({ at, end, ip }: Place): number => ip?.payloadBytes ?? end - at;

export const TCP: Protocol = {
  name: "TCP",
  least: [4, "TCP ports"],
  layout: [
    ["Source port", 0, 2, dec16, "tcp"],
    ["Destination port", 2, 2, dec16, "tcp"],
    ["Sequence number", 4, 4, dec32],
    ["Acknowledgment number", 8, 4, dec32],
    ["Header length", 12, 1, (bytes, at) => `${(bytes[at]! >> 4) * 4} bytes`],
    ["Flags", 13, 1, (bytes, at) => flagNames(bytes[at]!, [...FLAGS].reverse())],
    ["Window", 14, 2, dec16],
    ["Checksum", 16, 2, hex16],
    ["Urgent pointer", 18, 2, dec16],
  ],
  length: (place) =>
    place.at + 12 < place.end ? Math.max(headerBytesAt(place), TCP_HEADER_BYTES) : TCP_HEADER_BYTES,
  list: (place) => {
    const end = Math.min(place.end, place.at + headerBytesAt(place));
    return optionsAt(place, place.at + TCP_HEADER_BYTES, end, OPTIONS, headOfBoth);
  },
  note: ({ bytes, at }, seen) => {
    seen.sourcePort = readU16(bytes, at);
    seen.targetPort = readU16(bytes, at + 2);
  },
  check: (place) => {
    const cut = lacks(place, TCP_HEADER_BYTES, "TCP header");
    if (cut !== undefined) return cut;
    const [headerBytes, payloadBytes] = [headerBytesAt(place), payloadBytesOf(place)];
    return headerBytes < TCP_HEADER_BYTES || headerBytes > payloadBytes
      ? { text: `TCP header of ${headerBytes} bytes in ${payloadBytes}` }
      : undefined;
  },
  line: (place) => {
    const { bytes, at } = place;
    const flags = bytes[at + 13]!;
    const fields = [
      `seq=${readU32(bytes, at + 4)}`,
      ...(flags & TCP_ACK ? [`ack=${readU32(bytes, at + 8)}`] : []),
      `win=${readU16(bytes, at + 14)}`,
      `len=${payloadBytesOf(place) - headerBytesAt(place)}`,
    ];
    const names = flags === 0 ? "no flags" : flagNames(flags, FLAGS);
    return `${names} ${readU16(bytes, at)} -> ${readU16(bytes, at + 2)} ${fields.join(" ")}`;
  },
  next: (place) => {
    const at = place.at + headerBytesAt(place);
    const ports = [readU16(place.bytes, place.at + 2), readU16(place.bytes, place.at)];
    const port = ports.find((each) => OPEN_PORTS.includes(each));
    return port === undefined || at >= place.end ? undefined : { to: ["tcp", port], at };
  },
};
