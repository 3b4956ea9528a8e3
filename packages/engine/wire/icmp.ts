/**
 * ICMP (RFC 792).
 *
 *     0      1      2          4                8
 *     type   code   checksum   rest of header   data
 */
import { readU16, readU32, writeU16, writeU32 } from "../base/bytes.ts";
import { checksum } from "../base/checksum.ts";
import { IPV4 } from "./ipv4.ts";
import { formatIpv4 } from "./ipv4-address.ts";
import type { Names, Place, Protocol, Row } from "./protocol.ts";
import { capital, dec8, dec16, hex, hex16, ipv4 } from "./show.ts";

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

const PARAMETER_PROBLEM = 12;

const TYPES = (): Names => ({
  [ICMP_ECHO_REPLY]: "echo reply",
  [ICMP_UNREACHABLE]: "destination unreachable",
  4: "source quench",
  [ICMP_REDIRECT]: "redirect",
  [ICMP_ECHO]: "echo request",
  9: "router advertisement",
  10: "router solicitation",
  [ICMP_TIME_EXCEEDED]: "time exceeded",
  [PARAMETER_PROBLEM]: "parameter problem",
  13: "timestamp request",
  14: "timestamp reply",
  17: "address mask request",
  18: "address mask reply",
});
const CODES = (): Readonly<Record<number, Names>> => ({
  [ICMP_UNREACHABLE]: {
    [UNREACHABLE_NETWORK]: "network unreachable",
    [UNREACHABLE_HOST]: "host unreachable",
    [UNREACHABLE_PROTOCOL]: "protocol unreachable",
    [UNREACHABLE_PORT]: "port unreachable",
    [FRAGMENTATION_NEEDED]: "fragmentation needed",
    5: "source route failed",
    6: "network unknown",
    7: "host unknown",
    9: "network administratively prohibited",
    10: "host administratively prohibited",
    [ADMINISTRATIVELY_PROHIBITED]: "communication administratively prohibited",
  },
  [ICMP_REDIRECT]: { 0: "for the network", 1: "for the host" },
  [ICMP_TIME_EXCEEDED]: { 0: "time to live exceeded in transit", 1: "fragment reassembly time exceeded" },
});
export const ECHO_ROWS: readonly Row[] = [
  ["Identifier", 4, 2, hex16],
  ["Sequence number", 6, 2, dec16],
];

/** The rows of a message, behind type, code and checksum. */
function restOf({ bytes, at }: Place): readonly Row[] {
  const [type, code] = [bytes[at]!, bytes[at + 1]!];
  if (type === ICMP_ECHO || type === ICMP_ECHO_REPLY) return ECHO_ROWS;
  if (type === ICMP_REDIRECT) return [["Gateway", 4, 4, ipv4]];
  return type === ICMP_UNREACHABLE && code === FRAGMENTATION_NEEDED ? [["MTU", 6, 2, dec16]] : [];
}

const QUOTES = [ICMP_UNREACHABLE, 4, ICMP_REDIRECT, ICMP_TIME_EXCEEDED, PARAMETER_PROBLEM];

export const ICMP: Protocol = {
  name: "ICMP",
  least: [ICMP_HEADER_BYTES, "ICMP header"],
  layout: (place) => [
    ["Type", 0, 1, dec8, TYPES],
    ["Code", 1, 1, dec8, CODES()[place.bytes[place.at]!] ?? {}],
    ["Checksum", 2, 2, hex16],
    ...restOf(place),
  ],
  line: ({ bytes, at, ip }) => `${describe(bytes, at)} ttl=${ip?.ttl}`,
  next: ({ bytes, at }) =>
    QUOTES.includes(bytes[at]!)
      ? { to: IPV4, at: at + ICMP_HEADER_BYTES, isInside: true, isPartial: true }
      : undefined,
};

function describe(bytes: Uint8Array, at: number): string {
  const [type, code] = [bytes[at]!, bytes[at + 1]!];
  switch (type) {
    case ICMP_ECHO:
    case ICMP_ECHO_REPLY:
      return echoText(type === ICMP_ECHO, bytes, at);
    case ICMP_UNREACHABLE:
      if (code === FRAGMENTATION_NEEDED) return `Fragmentation needed, MTU ${readU16(bytes, at + 6)}`;
      return capital(CODES()[type]?.[code] ?? `destination unreachable, code ${code}`);
    case ICMP_REDIRECT:
      return `Redirect to ${formatIpv4(readU32(bytes, at + 4))}`;
    case ICMP_TIME_EXCEEDED:
      return capital(CODES()[type]![code === 0 ? 0 : 1]!);
    default:
      return capital(TYPES()[type] ?? "") || `type ${type}, code ${code}`;
  }
}

export function echoText(isRequest: boolean, bytes: Uint8Array, at: number): string {
  const id = hex(readU16(bytes, at + 4));
  return `Echo ${isRequest ? "request" : "reply"} id=${id} seq=${readU16(bytes, at + 6)}`;
}
