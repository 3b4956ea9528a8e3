/** DHCP messages (RFC 2131, options of RFC 2132): the payload of a UDP datagram between ports 67 and 68. */
import { readU16, readU32, writeU16, writeU32 } from "../base/bytes.ts";
import { formatIpv4 } from "./ipv4-address.ts";
import { formatMac, readMac, writeMac } from "./mac.ts";
import { lacks, type Names, type Protocol } from "./protocol.ts";
import {
  capital,
  dec8,
  dec16,
  flagNames,
  type Head,
  hex,
  hex16,
  hex32,
  ipv4,
  mac,
  type Options,
  optionsAt,
  printable,
  seconds,
} from "./show.ts";

export const DHCP_SERVER_PORT = 67;
export const DHCP_CLIENT_PORT = 68;

export const DHCP_DISCOVER = 1;
export const DHCP_OFFER = 2;
export const DHCP_REQUEST = 3;
export const DHCP_DECLINE = 4;
export const DHCP_ACK = 5;
export const DHCP_NAK = 6;
export const DHCP_RELEASE = 7;
export const DHCP_INFORM = 8;

export const OPTION_SUBNET_MASK = 1;
export const OPTION_ROUTER = 3;
export const OPTION_DNS = 6;
export const OPTION_HOST_NAME = 12;
export const OPTION_DOMAIN = 15;
export const OPTION_REQUESTED_ADDRESS = 50;
export const OPTION_LEASE_TIME = 51;
export const OPTION_MESSAGE_TYPE = 53;
export const OPTION_SERVER = 54;
export const OPTION_PARAMETERS = 55;
export const OPTION_RENEWAL_TIME = 58;
export const OPTION_REBINDING_TIME = 59;
export const OPTION_CLIENT_ID = 61;

const OPTION_AGENT = 82;
const OPTION_PAD = 0;
const OPTION_END = 255;
const MAGIC_COOKIE = 0x6382_5363;
const OPTIONS_OFFSET = 240;

export interface Dhcp {
  /** 1 from a client, 2 from a server. */
  readonly op: number;
  readonly xid: number;
  readonly secs: number;
  readonly flags: number;
  readonly clientIp: number;
  readonly yourIp: number;
  readonly serverIp: number;
  readonly relayIp: number;
  readonly clientMac: number;
  /** In the order of the message; values are views. */
  readonly options: readonly (readonly [code: number, value: Uint8Array])[];
}

/** Returns null if the data are not a DHCP message; omits options that run past the end. */
export function decodeDhcp(data: Uint8Array): Dhcp | null {
  if (data.length < OPTIONS_OFFSET || readU32(data, OPTIONS_OFFSET - 4) !== MAGIC_COOKIE) return null;
  return {
    op: data[0] as number,
    xid: readU32(data, 4),
    secs: readU16(data, 8),
    flags: readU16(data, 10),
    clientIp: readU32(data, 12),
    yourIp: readU32(data, 16),
    serverIp: readU32(data, 20),
    relayIp: readU32(data, 24),
    clientMac: readMac(data, 28),
    options: decodeOptions(data),
  };
}

function decodeOptions(data: Uint8Array): [number, Uint8Array][] {
  const options: [number, Uint8Array][] = [];
  let at = OPTIONS_OFFSET;
  while (at < data.length && data[at] !== OPTION_END) {
    if (data[at] === OPTION_PAD) {
      at += 1;
      continue;
    }
    const length = data[at + 1];
    if (length === undefined || at + 2 + length > data.length) break;
    options.push([data[at] as number, data.subarray(at + 2, at + 2 + length)]);
    at += 2 + length;
  }
  return options;
}

/** Encodes a message, padded with zeros to `sizeBytes`. */
export function encodeDhcp(message: Dhcp, sizeBytes = 300): Uint8Array {
  const optionBytes = message.options.reduce((size, [, value]) => size + 2 + value.length, 1);
  const data = new Uint8Array(Math.max(sizeBytes, OPTIONS_OFFSET + optionBytes));
  data.set([message.op, 1, 6, 0]);
  writeU32(data, 4, message.xid);
  writeU16(data, 8, message.secs);
  writeU16(data, 10, message.flags);
  writeU32(data, 12, message.clientIp);
  writeU32(data, 16, message.yourIp);
  writeU32(data, 20, message.serverIp);
  writeU32(data, 24, message.relayIp);
  writeMac(data, 28, message.clientMac);
  writeU32(data, OPTIONS_OFFSET - 4, MAGIC_COOKIE);
  let at = OPTIONS_OFFSET;
  for (const [code, value] of message.options) {
    data.set([code, value.length], at);
    data.set(value, at + 2);
    at += 2 + value.length;
  }
  data[at] = OPTION_END;
  return data;
}

/** Returns the value of an option, undefined if it is missing. */
export const dhcpOption = ({ options }: Dhcp, code: number): Uint8Array | undefined =>
  options.find(([each]) => each === code)?.[1];

/** Returns an option's 32-bit number or address; undefined if it is missing or short. */
export function dhcpNumber(message: Dhcp, code: number): number | undefined {
  const value = dhcpOption(message, code);
  return value && value.length >= 4 ? readU32(value, 0) : undefined;
}

export const messageType = (message: Dhcp): number | undefined =>
  dhcpOption(message, OPTION_MESSAGE_TYPE)?.[0];

/** Encodes 32-bit numbers or addresses as an option's value. */
export function numberOption(...values: readonly number[]): Uint8Array {
  const bytes = new Uint8Array(4 * values.length);
  for (const [index, value] of values.entries()) writeU32(bytes, 4 * index, value);
  return bytes;
}

const MESSAGES = (): Names => ({
  [DHCP_DISCOVER]: "discover",
  [DHCP_OFFER]: "offer",
  [DHCP_REQUEST]: "request",
  [DHCP_DECLINE]: "decline",
  [DHCP_ACK]: "ack",
  [DHCP_NAK]: "nak",
  [DHCP_RELEASE]: "release",
  [DHCP_INFORM]: "inform",
});
const OPTIONS = (): Options => ({
  [OPTION_PAD]: [""],
  [OPTION_SUBNET_MASK]: ["Subnet mask", 4, ipv4],
  [OPTION_ROUTER]: ["Router", 4, ipv4],
  [OPTION_DNS]: ["DNS server", 4, ipv4],
  [OPTION_HOST_NAME]: ["Host name", "text"],
  [OPTION_DOMAIN]: ["Domain", "text"],
  [OPTION_REQUESTED_ADDRESS]: ["Requested address", 4, ipv4],
  [OPTION_LEASE_TIME]: ["Lease time", 4, seconds],
  [OPTION_MESSAGE_TYPE]: ["Message type", 1, dec8, MESSAGES],
  [OPTION_SERVER]: ["Server", 4, ipv4],
  [OPTION_PARAMETERS]: ["Requested options", 1, dec8],
  [OPTION_RENEWAL_TIME]: ["Renewal time", 4, seconds],
  [OPTION_REBINDING_TIME]: ["Rebinding time", 4, seconds],
  [OPTION_CLIENT_ID]: [
    "Client identifier",
    {
      rows: [
        ["Client hardware type", 2, 1, dec8],
        ["Client hardware address", 3, 6, mac],
      ],
    },
  ],
  // A sub-option, its length, and the name of the port.
  [OPTION_AGENT]: ["Relay agent", {}, (value) => printable(value.subarray(2))],
  [OPTION_END]: ["End"],
});
const FLAGS = [[0x8000, "broadcast"]] as const;

export const DHCP: Protocol = {
  name: "DHCP",
  isGuess: true,
  length: ({ at, end }) => end - at,
  check: (place) =>
    lacks(place, OPTIONS_OFFSET, "DHCP") ??
    (readU32(place.bytes, place.at + OPTIONS_OFFSET - 4) === MAGIC_COOKIE
      ? undefined
      : { text: "BOOTP without DHCP's magic cookie" }),
  layout: [
    ["Message", 0, 1, dec8, { 1: "request", 2: "reply" }],
    ["Hardware type", 1, 1, dec8],
    ["Hardware length", 2, 1, dec8],
    ["Hops", 3, 1, dec8],
    ["Transaction", 4, 4, hex32],
    ["Seconds", 8, 2, dec16],
    ["Flags", 10, 2, (bytes, at) => `${hex16(bytes, at)} (${flagNames(readU16(bytes, at), FLAGS)})`],
    ["Client IP", 12, 4, ipv4],
    ["Your IP", 16, 4, ipv4],
    ["Server IP", 20, 4, ipv4],
    ["Relay IP", 24, 4, ipv4],
    ["Client MAC", 28, 6, mac],
    ["Server name", 44, 64, (bytes, at) => zeroEnded(bytes.subarray(at, at + 64))],
    ["Boot file", 108, 128, (bytes, at) => zeroEnded(bytes.subarray(at, at + 128))],
    ["Magic cookie", 236, 4, hex32],
  ],
  list: (place) =>
    optionsAt(place, place.at + OPTIONS_OFFSET, place.end, OPTIONS(), headOfOption, OPTION_END),
  line: ({ bytes, at, end }) => {
    const message = decodeDhcp(bytes.subarray(at, end))!;
    const type = messageType(message) ?? 0;
    const requested = dhcpNumber(message, OPTION_REQUESTED_ADDRESS);
    const hostName = dhcpOption(message, OPTION_HOST_NAME);
    return [
      type === 0 ? "BOOTP" : capital(MESSAGES()[type] ?? "") || `message type ${type}`,
      ...(message.yourIp ? [formatIpv4(message.yourIp)] : []),
      ...(requested !== undefined ? [`asks for ${formatIpv4(requested)}`] : []),
      `client=${formatMac(message.clientMac)}`,
      ...(hostName ? [`name=${printable(hostName)}`] : []),
      `xid=${hex(message.xid, 8)}`,
    ].join(" ");
  },
};

function zeroEnded(bytes: Uint8Array): string {
  const end = bytes.indexOf(0);
  return end === 0 ? "none" : printable(end < 0 ? bytes : bytes.subarray(0, end));
}

const headOfOption = (bytes: Uint8Array, at: number): Head =>
  bytes[at] === OPTION_PAD || bytes[at] === OPTION_END
    ? [bytes[at]!, 1, 1]
    : [bytes[at]!, 2 + (bytes[at + 1] ?? bytes.length), 2];
