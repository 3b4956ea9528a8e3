/** ICMPv6 (RFC 4443) and neighbour discovery (RFC 4861). Messages have no checksum until `encodeIpv6Checked` adds it. */
import { readU16, readU32, writeU32 } from "../base/bytes.ts";
import { ECHO_ROWS, echoText } from "./icmp.ts";
import { IPV6 } from "./ipv6.ts";
import { readIpv6, writeIpv6 } from "./ipv6-address.ts";
import { readMac, writeMac } from "./mac.ts";
import { MLD_NAMES, mldRecords, mldRows } from "./mld.ts";
import { type Field, lacks, type Names, type Place, type Protocol, type Row } from "./protocol.ts";
import {
  capital,
  dec8,
  dec32,
  flagNames,
  hex16,
  ipv6,
  mac,
  type Options,
  optionsAt,
  seconds,
} from "./show.ts";

export const ICMPV6_UNREACHABLE = 1;
export const ICMPV6_TOO_BIG = 2;
export const ICMPV6_TIME_EXCEEDED = 3;
export const ICMPV6_ECHO = 128;
export const ICMPV6_ECHO_REPLY = 129;
export const ROUTER_SOLICITATION = 133;
export const ROUTER_ADVERTISEMENT = 134;
export const NEIGHBOUR_SOLICITATION = 135;
export const NEIGHBOUR_ADVERTISEMENT = 136;
const PARAMETER_PROBLEM = 4;
const REDIRECT = 137;

export const OPTION_SOURCE_LINK_ADDRESS = 1;
export const OPTION_TARGET_LINK_ADDRESS = 2;
export const OPTION_PREFIX = 3;
export const OPTION_MTU = 5;

/** Receivers ignore neighbour discovery with any other hop limit: this one proves a sender on the link (RFC 4861, 7.1). */
export const ND_HOP_LIMIT = 255;

/** Encodes type, code and the 32-bit word after the checksum, then the data. */
export function encodeIcmpv6(type: number, code: number, rest: number, data: Uint8Array): Uint8Array {
  const message = new Uint8Array(8 + data.length);
  message[0] = type;
  message[1] = code;
  writeU32(message, 4, rest);
  message.set(data, 8);
  return message;
}

export interface Neighbour {
  readonly type: typeof NEIGHBOUR_SOLICITATION | typeof NEIGHBOUR_ADVERTISEMENT;
  /** Router, solicited and override in the highest bits; 0 in a solicitation. */
  readonly flags: number;
  readonly target: bigint;
  /** From the link address option; undefined when there is none. */
  readonly mac: number | undefined;
}

/** Returns null if the ICMPv6 message is not a whole neighbour solicitation or advertisement. */
export function decodeNeighbour(message: Uint8Array): Neighbour | null {
  const type = message[0];
  if (message.length < 24 || (type !== NEIGHBOUR_SOLICITATION && type !== NEIGHBOUR_ADVERTISEMENT))
    return null;
  const wanted = type === NEIGHBOUR_SOLICITATION ? OPTION_SOURCE_LINK_ADDRESS : OPTION_TARGET_LINK_ADDRESS;
  const option = findOption(message, 24, wanted);
  return {
    type,
    flags: ((message[4] as number) << 24) >>> 0,
    target: readIpv6(message, 8),
    mac: option && option.length >= 8 ? readMac(option, 2) : undefined,
  };
}

export function encodeNeighbour({ type, flags, target, mac }: Neighbour): Uint8Array {
  const message = new Uint8Array(mac === undefined ? 24 : 32);
  message[0] = type;
  writeU32(message, 4, flags);
  writeIpv6(message, 8, target);
  if (mac !== undefined) {
    message[24] = type === NEIGHBOUR_SOLICITATION ? OPTION_SOURCE_LINK_ADDRESS : OPTION_TARGET_LINK_ADDRESS;
    message[25] = 1;
    writeMac(message, 26, mac);
  }
  return message;
}

/** Returns the first option of a type, type and length bytes included; options begin at `offset`. */
export function findOption(message: Uint8Array, offset: number, type: number): Uint8Array | undefined {
  let at = offset;
  while (at + 2 <= message.length) {
    const length = (message[at + 1] as number) * 8;
    if (length === 0 || at + length > message.length) return undefined;
    if (message[at] === type) return message.subarray(at, at + length);
    at += length;
  }
  return undefined;
}

const HEADER_BYTES = 8;
const NEIGHBOUR_BYTES = 24;
const ROUTER_ADVERTISEMENT_BYTES = 16;
const REDIRECT_BYTES = 40;

const TYPES = (): Names => ({
  [ICMPV6_UNREACHABLE]: "destination unreachable",
  [ICMPV6_TOO_BIG]: "packet too big",
  [ICMPV6_TIME_EXCEEDED]: "time exceeded",
  [PARAMETER_PROBLEM]: "parameter problem",
  [ICMPV6_ECHO]: "echo request",
  [ICMPV6_ECHO_REPLY]: "echo reply",
  [ROUTER_SOLICITATION]: "router solicitation",
  [ROUTER_ADVERTISEMENT]: "router advertisement",
  [NEIGHBOUR_SOLICITATION]: "neighbour solicitation",
  [NEIGHBOUR_ADVERTISEMENT]: "neighbour advertisement",
  [REDIRECT]: "redirect",
});
const CODES = (): Readonly<Record<number, Names>> => ({
  [ICMPV6_UNREACHABLE]: {
    0: "no route to destination",
    1: "communication administratively prohibited",
    2: "beyond the scope of the source address",
    3: "address unreachable",
    4: "port unreachable",
    5: "source address refused by policy",
    6: "route to destination refused",
  },
  [ICMPV6_TIME_EXCEEDED]: { 0: "hop limit exceeded in transit", 1: "fragment reassembly time exceeded" },
});
const TARGET: Row = ["Target", 8, 16, ipv6];
const ND_FLAGS = [
  [0x80, "router"],
  [0x40, "solicited"],
  [0x20, "override"],
] as const;
const RA_FLAGS = [
  [0x80, "managed"],
  [0x40, "other"],
] as const;
const PREFIX_FLAGS = [
  [0x80, "on link"],
  [0x40, "autonomous"],
] as const;

/** The rows of a message, behind type, code and checksum. */
const ROWS = (): Readonly<Record<number, readonly Row[]>> => ({
  [ICMPV6_ECHO]: ECHO_ROWS,
  [ICMPV6_ECHO_REPLY]: ECHO_ROWS,
  [ICMPV6_TOO_BIG]: [["MTU", 4, 4, dec32]],
  [PARAMETER_PROBLEM]: [["Pointer", 4, 4, dec32]],
  [ROUTER_ADVERTISEMENT]: [
    ["Hop limit for hosts", 4, 1, dec8],
    ["Flags", 5, 1, (bytes, at) => flagNames(bytes[at]!, RA_FLAGS)],
    ["Router lifetime", 6, 2, (bytes, at) => `${readU16(bytes, at)} s`],
    ["Reachable time", 8, 4, (bytes, at) => `${readU32(bytes, at)} ms`],
    ["Retransmission timer", 12, 4, (bytes, at) => `${readU32(bytes, at)} ms`],
  ],
  [NEIGHBOUR_SOLICITATION]: [TARGET],
  [NEIGHBOUR_ADVERTISEMENT]: [["Flags", 4, 4, (bytes, at) => flagNames(bytes[at]!, ND_FLAGS)], TARGET],
  [REDIRECT]: [TARGET, ["Destination", 24, 16, ipv6]],
});

/** Where the options begin, in messages that have some. */
const OPTIONS_AT = (): Readonly<Record<number, number>> => ({
  [ROUTER_SOLICITATION]: HEADER_BYTES,
  [ROUTER_ADVERTISEMENT]: ROUTER_ADVERTISEMENT_BYTES,
  [NEIGHBOUR_SOLICITATION]: NEIGHBOUR_BYTES,
  [NEIGHBOUR_ADVERTISEMENT]: NEIGHBOUR_BYTES,
  [REDIRECT]: REDIRECT_BYTES,
});
const OPTIONS = (): Options => ({
  [OPTION_SOURCE_LINK_ADDRESS]: ["Source link address", 6, mac],
  [OPTION_TARGET_LINK_ADDRESS]: ["Target link address", 6, mac],
  [OPTION_PREFIX]: [
    "Prefix information",
    {
      rows: [
        ["Prefix length", 2, 1, dec8],
        ["Prefix flags", 3, 1, (bytes, at) => flagNames(bytes[at]!, PREFIX_FLAGS)],
        ["Valid lifetime", 4, 4, seconds],
        ["Preferred lifetime", 8, 4, seconds],
        ["Prefix", 16, 16, ipv6],
      ],
    },
  ],
  [OPTION_MTU]: ["MTU", { rows: [["Link MTU", 4, 4, dec32]] }],
});

const QUOTES = [ICMPV6_UNREACHABLE, ICMPV6_TOO_BIG, ICMPV6_TIME_EXCEEDED, PARAMETER_PROBLEM];
const typeAt = ({ bytes, at }: Place): number => bytes[at]!;

export const ICMPV6: Protocol = {
  name: "ICMPv6",
  least: [HEADER_BYTES, "ICMPv6 header"],
  length: (place) => {
    const type = typeAt(place);
    return OPTIONS_AT()[type] !== undefined || MLD_NAMES()[type] !== undefined
      ? place.end - place.at
      : HEADER_BYTES;
  },
  layout: (place) => [
    ["Type", 0, 1, dec8, { ...TYPES(), ...MLD_NAMES() }],
    ["Code", 1, 1, dec8, CODES()[typeAt(place)] ?? {}],
    ["Checksum", 2, 2, hex16],
    ...(ROWS()[typeAt(place)] ?? mldRows(place)),
  ],
  list: (place): Field[] => {
    const start = OPTIONS_AT()[typeAt(place)];
    if (start === undefined) return mldRecords(place);
    return optionsAt(place, place.at + start, place.end, OPTIONS(), (bytes, at) => [
      bytes[at]!,
      (bytes[at + 1] ?? 0) * 8,
      2,
    ]);
  },
  check: (place) => {
    switch (typeAt(place)) {
      case NEIGHBOUR_SOLICITATION:
      case NEIGHBOUR_ADVERTISEMENT:
        return lacks(place, NEIGHBOUR_BYTES, "neighbour discovery");
      case ROUTER_ADVERTISEMENT:
        return lacks(place, ROUTER_ADVERTISEMENT_BYTES, "router advertisement");
      case REDIRECT:
        return lacks(place, NEIGHBOUR_BYTES, "ICMPv6 redirect");
    }
    return undefined;
  },
  line: (place, { source }) => `${describe(place, source)} ttl=${place.ip?.ttl}`,
  next: (place) =>
    QUOTES.includes(typeAt(place))
      ? { to: IPV6, at: place.at + HEADER_BYTES, isInside: true, isPartial: true }
      : undefined,
};

function describe(place: Place, source: string | null): string {
  const { bytes, at } = place;
  const [type, code] = [typeAt(place), bytes[at + 1]!];
  switch (type) {
    case ICMPV6_ECHO:
    case ICMPV6_ECHO_REPLY:
      return echoText(type === ICMPV6_ECHO, bytes, at);
    case ICMPV6_UNREACHABLE:
      return capital(CODES()[type]?.[code] ?? `destination unreachable, code ${code}`);
    case ICMPV6_TOO_BIG:
      return `Packet too big, MTU ${readU32(bytes, at + 4)}`;
    case ICMPV6_TIME_EXCEEDED:
      return capital(CODES()[type]![code === 0 ? 0 : 1]!);
    case NEIGHBOUR_SOLICITATION: {
      const target = ipv6(bytes, at + 8);
      return source === "::" ? `Who has ${target}? (probe)` : `Who has ${target}? Tell ${source}`;
    }
    case NEIGHBOUR_ADVERTISEMENT: {
      const address = linkAddress(place, OPTION_TARGET_LINK_ADDRESS);
      return `${ipv6(bytes, at + 8)} is ${address === undefined ? "here" : `at ${address}`}`;
    }
    case ROUTER_SOLICITATION:
      return `Router solicitation${fromText(place)}`;
    case ROUTER_ADVERTISEMENT: {
      const prefix = optionOf(place, OPTION_PREFIX);
      const shown = prefix && prefix.length >= 32 ? ` prefix=${ipv6(prefix, 16)}/${prefix[2]}` : "";
      return `Router advertisement${fromText(place)}${shown} lifetime=${readU16(bytes, at + 6)}`;
    }
    case REDIRECT:
      return `Redirect to ${ipv6(bytes, at + 8)}`;
    default:
      return capital(TYPES()[type] ?? MLD_NAMES()[type] ?? "") || `type ${type}, code ${code}`;
  }
}

const optionOf = (place: Place, type: number): Uint8Array | undefined =>
  findOption(place.bytes.subarray(0, place.end), place.at + OPTIONS_AT()[typeAt(place)]!, type);

function linkAddress(place: Place, type: number): string | undefined {
  const option = optionOf(place, type);
  return option && option.length >= 8 ? mac(option, 2) : undefined;
}

function fromText(place: Place): string {
  const address = linkAddress(place, OPTION_SOURCE_LINK_ADDRESS);
  return address === undefined ? "" : ` from ${address}`;
}
