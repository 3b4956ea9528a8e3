/**
 * DHCPv6 messages (RFC 8415, sections 8 and 21): the payload of a UDP datagram between ports 546 and 547.
 *
 *     type (1)  transaction (3)  options: code (2)  length (2)  value
 */
import { concatBytes, readU16, readU32, writeU16, writeU32 } from "../base/bytes.ts";
import { decodeDnsName } from "./dns.ts";
import { formatIpv6, readIpv6, writeIpv6 } from "./ipv6-address.ts";
import { formatMac } from "./mac.ts";
import { bytesText, lacks, type Names, type Protocol, type Row } from "./protocol.ts";
import { dec8, dec16, type Head, hex, hex24, hex32, ipv6, type Options, optionsAt, seconds } from "./show.ts";

export const DHCPV6_CLIENT_PORT = 546;
export const DHCPV6_SERVER_PORT = 547;
/** ff02::1:2, all DHCP relay agents and servers. */
export const ALL_DHCPV6_SERVERS = (0xff02n << 112n) | 0x1_0002n;

export const DHCPV6_SOLICIT = 1;
export const DHCPV6_ADVERTISE = 2;
export const DHCPV6_REQUEST = 3;
export const DHCPV6_CONFIRM = 4;
export const DHCPV6_RENEW = 5;
export const DHCPV6_REBIND = 6;
export const DHCPV6_REPLY = 7;
export const DHCPV6_RELEASE = 8;
export const DHCPV6_DECLINE = 9;
export const DHCPV6_INFORMATION_REQUEST = 11;

export const OPTION6_CLIENT_ID = 1;
export const OPTION6_SERVER_ID = 2;
export const OPTION6_IA_NA = 3;
export const OPTION6_ADDRESS = 5;
export const OPTION6_REQUESTED = 6;
export const OPTION6_STATUS = 13;
export const OPTION6_RAPID_COMMIT = 14;
export const OPTION6_DNS = 23;
export const OPTION6_DOMAINS = 24;
export const OPTION6_IA_PD = 25;

export const STATUS_SUCCESS = 0;
export const STATUS_NO_ADDRESS = 2;
export const STATUS_NO_BINDING = 3;
export const STATUS_NOT_ON_LINK = 4;
export const STATUS_USE_MULTICAST = 5;
export const STATUS_NO_PREFIX = 6;

const HEADER_BYTES = 4;
const IA_BYTES = 12;
const ADDRESS_BYTES = 24;

export type Option6 = readonly [code: number, value: Uint8Array];

export interface Dhcpv6 {
  readonly type: number;
  readonly transaction: number;
  /** In the order of the message; values are views. */
  readonly options: readonly Option6[];
}

/** The addresses of one interface of a client. */
export interface IaNa {
  readonly id: number;
  readonly addresses: readonly bigint[];
}

/** Returns null if the data are shorter than a header, or an option runs past the end. */
export function decodeDhcpv6(data: Uint8Array): Dhcpv6 | null {
  if (data.length < HEADER_BYTES) return null;
  const options = decodeOptions6(data, HEADER_BYTES);
  return options && { type: data[0] as number, transaction: readU32(data, 0) & 0xff_ffff, options };
}

function decodeOptions6(data: Uint8Array, start: number): Option6[] | null {
  const options: Option6[] = [];
  for (let at = start; at < data.length; ) {
    const end = at + 4 + (at + 4 <= data.length ? readU16(data, at + 2) : 0);
    if (at + 4 > data.length || end > data.length) return null;
    options.push([readU16(data, at), data.subarray(at + 4, end)]);
    at = end;
  }
  return options;
}

export function encodeDhcpv6({ type, transaction, options }: Dhcpv6): Uint8Array {
  const header = new Uint8Array(HEADER_BYTES);
  writeU32(header, 0, type * 0x100_0000 + transaction);
  return concatBytes(header, encodeOptions6(options));
}

function encodeOptions6(options: readonly Option6[]): Uint8Array {
  return concatBytes(
    ...options.flatMap(([code, value]) => {
      const head = new Uint8Array(4);
      writeU16(head, 0, code);
      writeU16(head, 2, value.length);
      return [head, value];
    }),
  );
}

/** Returns the value of an option, undefined if it is missing. */
export const option6 = ({ options }: Dhcpv6, code: number): Uint8Array | undefined =>
  options.find(([each]) => each === code)?.[1];

/** Returns null if the value is too short, or an option in it runs past the end. */
export function decodeIaNa(value: Uint8Array): IaNa | null {
  if (value.length < IA_BYTES) return null;
  const options = decodeOptions6(value, IA_BYTES);
  const addresses = options?.flatMap(([code, address]) =>
    code === OPTION6_ADDRESS && address.length >= ADDRESS_BYTES ? [readIpv6(address, 0)] : [],
  );
  return addresses ? { id: readU32(value, 0), addresses } : null;
}

/** Encodes the value of IA_NA. T1 is half of the life of the addresses, T2 four fifths (RFC 8415, section 21.4). */
export function encodeIaNa(id: number, lifeSeconds: number, options: readonly Option6[]): Uint8Array {
  const head = new Uint8Array(IA_BYTES);
  writeU32(head, 0, id);
  writeU32(head, 4, Math.floor(lifeSeconds / 2));
  writeU32(head, 8, Math.floor((lifeSeconds * 4) / 5));
  return concatBytes(head, encodeOptions6(options));
}

/** Encodes the option of an address, preferred and valid for the same time. */
export function addressOption6(address: bigint, lifeSeconds: number): Option6 {
  const value = new Uint8Array(ADDRESS_BYTES);
  writeIpv6(value, 0, address);
  writeU32(value, 16, lifeSeconds);
  writeU32(value, 20, lifeSeconds);
  return [OPTION6_ADDRESS, value];
}

export function statusOption6(status: number, text: string): Option6 {
  const value = new Uint8Array(2 + text.length);
  writeU16(value, 0, status);
  value.set(new TextEncoder().encode(text), 2);
  return [OPTION6_STATUS, value];
}

/** The MAC in a client's identifier; undefined if its kind has none (RFC 8415, section 11). */
export function macOfDuid(duid: Uint8Array): number | undefined {
  if (duid.length < 4 || readU16(duid, 2) !== 1) return undefined;
  const [kind, at] = [readU16(duid, 0), readU16(duid, 0) === 1 ? 8 : 4];
  if ((kind !== 1 && kind !== 3) || duid.length !== at + 6) return undefined;
  return readU16(duid, at) * 0x1_0000_0000 + readU32(duid, at + 2);
}

const TYPES = (): Names => ({
  [DHCPV6_SOLICIT]: "Solicit",
  [DHCPV6_ADVERTISE]: "Advertise",
  [DHCPV6_REQUEST]: "Request",
  [DHCPV6_CONFIRM]: "Confirm",
  [DHCPV6_RENEW]: "Renew",
  [DHCPV6_REBIND]: "Rebind",
  [DHCPV6_REPLY]: "Reply",
  [DHCPV6_RELEASE]: "Release",
  [DHCPV6_DECLINE]: "Decline",
  10: "Reconfigure",
  [DHCPV6_INFORMATION_REQUEST]: "Information-request",
  12: "Relay-forward",
  13: "Relay-reply",
});
const STATUS = (): Names => ({
  [STATUS_SUCCESS]: "success",
  1: "unspecified failure",
  [STATUS_NO_ADDRESS]: "no address",
  [STATUS_NO_BINDING]: "no binding",
  [STATUS_NOT_ON_LINK]: "not on link",
  [STATUS_USE_MULTICAST]: "use multicast",
  [STATUS_NO_PREFIX]: "no prefix",
});
const OPTION_HEADER_BYTES = 4;
function duidText(duid: Uint8Array): string {
  const mac = macOfDuid(duid);
  return mac === undefined ? bytesText(duid.length) : formatMac(mac);
}
const DUID: readonly Row[] = [
  ["Identifier type", 4, 2, dec16, { 1: "link address and time", 2: "vendor", 3: "link address", 4: "UUID" }],
  ["Hardware type", 6, 2, dec16],
];
const IDENTITY: readonly Row[] = [
  ["Identity", 4, 4, hex32],
  ["Renew after", 8, 4, seconds],
  ["Rebind after", 12, 4, seconds],
];
const INSIDE_IDENTITY = { rows: IDENTITY, options: OPTION_HEADER_BYTES + IA_BYTES };
const OPTIONS = (): Options => ({
  [OPTION6_CLIENT_ID]: ["Client identifier", { rows: DUID }, duidText],
  [OPTION6_SERVER_ID]: ["Server identifier", { rows: DUID }, duidText],
  [OPTION6_IA_NA]: ["Addresses (IA_NA)", INSIDE_IDENTITY],
  [OPTION6_ADDRESS]: [
    "Address",
    {
      rows: [
        ["IPv6 address", 4, 16, ipv6],
        ["Preferred lifetime", 20, 4, seconds],
        ["Valid lifetime", 24, 4, seconds],
      ],
      options: OPTION_HEADER_BYTES + ADDRESS_BYTES,
    },
  ],
  [OPTION6_REQUESTED]: ["Requested options", 2, dec16],
  8: ["Elapsed time", 2, (bytes, at) => `${readU16(bytes, at) * 10} ms`],
  [OPTION6_STATUS]: [
    "Status",
    { rows: [["Status code", 4, 2, dec16, STATUS]] },
    (value) => new TextDecoder().decode(value.subarray(2)),
  ],
  [OPTION6_RAPID_COMMIT]: ["Rapid commit"],
  [OPTION6_DNS]: ["DNS servers", 16, ipv6],
  [OPTION6_DOMAINS]: ["Domains", {}, (value) => decodeDnsName(value, 0)?.text ?? bytesText(value.length)],
  [OPTION6_IA_PD]: ["Prefixes (IA_PD)", INSIDE_IDENTITY],
  26: [
    "Prefix",
    {
      rows: [
        ["Preferred lifetime", 4, 4, seconds],
        ["Valid lifetime", 8, 4, seconds],
        ["Prefix length", 12, 1, dec8],
        ["IPv6 prefix", 13, 16, ipv6],
      ],
      options: 29,
    },
  ],
});
const headOfOption = (bytes: Uint8Array, at: number): Head => [
  readU16(bytes, at),
  at + OPTION_HEADER_BYTES <= bytes.length ? OPTION_HEADER_BYTES + readU16(bytes, at + 2) : 0,
  OPTION_HEADER_BYTES,
];

export const DHCPV6: Protocol = {
  name: "DHCPv6",
  isGuess: true,
  length: ({ at, end }) => end - at,
  check: (place) =>
    lacks(place, HEADER_BYTES, "DHCPv6 header") ??
    (decodeDhcpv6(place.bytes.subarray(place.at, place.end)) === null
      ? { text: `an option of DHCPv6 does not end in ${bytesText(place.end - place.at)}` }
      : undefined),
  layout: [
    ["Message type", 0, 1, dec8, TYPES],
    ["Transaction", 1, 3, hex24],
  ],
  list: (place) => optionsAt(place, place.at + HEADER_BYTES, place.end, OPTIONS(), headOfOption),
  line: ({ bytes, at, end }) => {
    const message = decodeDhcpv6(bytes.subarray(at, end))!;
    const addresses = message.options.flatMap(([code, value]) =>
      code === OPTION6_IA_NA ? (decodeIaNa(value)?.addresses ?? []) : [],
    );
    const mac = macOfDuid(option6(message, OPTION6_CLIENT_ID) ?? new Uint8Array());
    return [
      TYPES()[message.type] ?? `message type ${message.type}`,
      ...addresses.map(formatIpv6),
      ...(mac === undefined ? [] : [`client=${formatMac(mac)}`]),
      `xid=${hex(message.transaction, 6)}`,
    ].join(" ");
  },
};
