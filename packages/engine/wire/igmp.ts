/**
 * IGMP, versions 1 (RFC 1112), 2 (RFC 2236) and 3 (RFC 3376), in IPv4 packets.
 *
 *     0      1               2          4       8 (version 3 only)
 *     type   response time   checksum   group   a query's flags and sources; a report has a list of groups at 8
 */
import { readU16, readU32, writeU16, writeU32 } from "../base/bytes.ts";
import { checksum } from "../base/checksum.ts";
import { ETHERNET_HEADER_BYTES, ETHERTYPE_IPV4, writeEthernetHeader } from "./ethernet.ts";
import { isMulticastIpv4 } from "./ipv4-address.ts";
import type { Field, Names, Place, Protocol, Row } from "./protocol.ts";
import { dec8, dec16, hex16, ipv4, rowsAt } from "./show.ts";

export const PROTOCOL_IGMP = 2;
/** All systems (RFC 1112). */
const ALL_SYSTEMS = 0xe000_0001;

const TYPE = { query: 0x11, report1: 0x12, report2: 0x16, leave: 0x17, report3: 0x22 } as const;

/** What IGMP and MLD have in common. @typeParam A an address. */
export type GroupMessage<A> =
  | {
      readonly kind: "query";
      /** The unspecified address: of all groups. */
      readonly group: A;
      readonly maxResponseUs: number;
      /** Whether a router that hears it keeps its timers (RFC 3376, 4.1.5), or it asks for some sources only. */
      readonly keepsTimers: boolean;
    }
  | { readonly kind: "report"; readonly joins: readonly A[]; readonly leaves: readonly A[] };

export type Igmp = GroupMessage<number>;

/** Tenths of a second; version 1 has none and means ten seconds. */
const TENTH_US = 100_000;
const VERSION_1_RESPONSE_US = 10_000_000;
const RECORD_BYTES = 8;

/**
 * @param at the offset of the message. @param end where it ends.
 * @returns undefined for other messages, and for those that are short or have a wrong checksum.
 */
export function decodeIgmp(bytes: Uint8Array, at: number, end: number): Igmp | undefined {
  if (at + 8 > end || checksum(bytes, at, end) !== 0) return undefined;
  const group = readU32(bytes, at + 4);
  switch (bytes[at]) {
    case TYPE.query:
      return decodeQuery(bytes, at, end, group);
    case TYPE.report1:
    case TYPE.report2:
      return isMulticastIpv4(group) ? { kind: "report", joins: [group], leaves: [] } : undefined;
    case TYPE.leave:
      return isMulticastIpv4(group) ? { kind: "report", joins: [], leaves: [group] } : undefined;
    case TYPE.report3:
      return decodeReport3(bytes, at, end);
    default:
      return undefined;
  }
}

function decodeQuery(bytes: Uint8Array, at: number, end: number, group: number): Igmp | undefined {
  if (group !== 0 && !isMulticastIpv4(group)) return undefined;
  const code = bytes[at + 1]!;
  const isVersion3 = end - at >= 12;
  const maxResponseUs = code === 0 ? VERSION_1_RESPONSE_US : (isVersion3 ? fromFloat(code) : code) * TENTH_US;
  const keepsTimers = isVersion3 && ((bytes[at + 8]! & 8) !== 0 || readU16(bytes, at + 10) > 0);
  return { kind: "query", group, maxResponseUs, keepsTimers };
}

/** A code from 128 on has an exponent and a mantissa (RFC 3376, 4.1.1). */
const fromFloat = (code: number): number =>
  code < 128 ? code : ((code & 15) | 16) << (((code >> 4) & 7) + 3);

/** The types of group records (RFC 3376, 4.2.12) that have no sources if the host leaves. */
const INCLUDE_TYPES = [1, 3];
const EXCLUDE_TYPES = [2, 4];
const ALLOW_NEW = 5;

/** What a group record means for a switch, which does not keep sources. IGMP and MLD have the same types (RFC 3810, 5.2.12). */
export function effectOf(type: number, hasSources: boolean): "join" | "leave" | undefined {
  if (EXCLUDE_TYPES.includes(type)) return "join";
  if (hasSources) return type === ALLOW_NEW || INCLUDE_TYPES.includes(type) ? "join" : undefined;
  return INCLUDE_TYPES.includes(type) ? "leave" : undefined;
}

function decodeReport3(bytes: Uint8Array, at: number, end: number): Igmp | undefined {
  const joins: number[] = [];
  const leaves: number[] = [];
  let record = at + RECORD_BYTES;
  for (let left = readU16(bytes, at + 6); left > 0; left--) {
    if (record + RECORD_BYTES > end) return undefined;
    const type = bytes[record]!;
    const sources = readU16(bytes, record + 2);
    const group = readU32(bytes, record + 4);
    const next = record + RECORD_BYTES + sources * 4 + bytes[record + 1]! * 4;
    if (next > end) return undefined;
    record = next;
    if (!isMulticastIpv4(group)) continue;
    const effect = effectOf(type, sources > 0);
    if (effect === "join") joins.push(group);
    else if (effect === "leave") leaves.push(group);
  }
  return { kind: "report", joins, leaves };
}

/** @typeParam A an address. */
export interface GroupQuery<A> {
  readonly version: number;
  /** The unspecified address: of all groups. */
  readonly group: A;
  readonly maxResponseUs: number;
  /** The address of the sender; the unspecified one for a switch that is not the querier (RFC 4541, 2.1.1). */
  readonly address: A;
  /** Seconds between two queries, at most 127. */
  readonly interval: number;
}

const IP_BYTES = 24;
const MIN_FRAME_BYTES = 60;
const TTL_AND_PROTOCOL = 0x0102;
/** Internetwork control: the precedence of IGMP (RFC 3376, 4). */
const TYPE_OF_SERVICE = 0xc0;
const ROUTER_ALERT = 0x9404_0000;
/** The robustness variable (RFC 3376, 8.1). */
const ROBUSTNESS = 2;

/** @param source the MAC address of the sender. @returns a frame of 60 bytes. */
export function encodeIgmpQuery(query: GroupQuery<number>, source: number): Uint8Array {
  const { version, group, maxResponseUs, address, interval } = query;
  const target = group === 0 ? ALL_SYSTEMS : group;
  const frame = new Uint8Array(MIN_FRAME_BYTES);
  writeEthernetHeader(frame, ipv4MulticastMac(target), source, ETHERTYPE_IPV4);
  const at = ETHERNET_HEADER_BYTES;
  const length = version === 3 ? 12 : 8;
  frame.set([0x46, TYPE_OF_SERVICE], at);
  writeU16(frame, at + 2, IP_BYTES + length);
  writeU16(frame, at + 8, TTL_AND_PROTOCOL);
  writeU32(frame, at + 12, address);
  writeU32(frame, at + 16, target);
  writeU32(frame, at + 20, ROUTER_ALERT);
  writeU16(frame, at + 10, checksum(frame, at, at + IP_BYTES));
  const message = at + IP_BYTES;
  frame.set([TYPE.query, Math.round(maxResponseUs / TENTH_US)], message);
  writeU32(frame, message + 4, group);
  if (version === 3) frame.set([ROBUSTNESS, interval], message + 8);
  writeU16(frame, message + 2, checksum(frame, message, message + length));
  return frame;
}

const MULTICAST_MAC = 0x0100_5e00_0000;

/** The low 23 bits of the group behind a prefix (RFC 1112, 6.4). */
const ipv4MulticastMac = (group: number): number => MULTICAST_MAC + (group & 0x7f_ffff);

export const isIpv4MulticastMac = (mac: number): boolean =>
  mac >= MULTICAST_MAC && mac <= MULTICAST_MAC + 0x7f_ffff;

const TYPES = (): Names => ({
  [TYPE.query]: "query",
  [TYPE.report1]: "report",
  [TYPE.report2]: "report (version 2)",
  [TYPE.leave]: "leave",
  [TYPE.report3]: "report (version 3)",
});
const RECORD_TYPES: Names = {
  1: "include",
  2: "exclude",
  3: "change to include",
  4: "change to exclude",
  5: "allow sources",
  6: "block sources",
};
const QUERY_3_BYTES = 12;

/** The rows that a query has in IGMP 3 and in MLD 2, behind the group. */
export const queryRows = (offset: number): readonly Row[] => [
  ["Suppress processing", offset, 1, (bytes, at) => (bytes[at]! & 8 ? "yes" : "no")],
  ["Robustness", offset, 1, (bytes, at) => String(bytes[at]! & 7)],
  ["Query interval", offset + 1, 1, (bytes, at) => `${fromFloat(bytes[at]!)} s`],
  ["Sources", offset + 2, 2, dec16],
];

export const sourceFields = (
  place: Place,
  at: number,
  count: number,
  addressBytes: number,
  show: Row[3],
): Field[] =>
  Array.from(
    { length: Math.min(count, Math.max(0, Math.floor((place.end - at) / addressBytes))) },
    (_, index) => rowsAt(place, at + index * addressBytes, [["Source", 0, addressBytes, show]]),
  ).flat();

/** The fields of the group records of IGMP 3 and MLD 2. */
export function recordFields(
  place: Place,
  start: number,
  count: number,
  addressBytes: number,
  show: Row[3],
): Field[] {
  const { bytes, end } = place;
  const rows: readonly Row[] = [
    ["Record type", 0, 1, dec8, RECORD_TYPES],
    ["Auxiliary words", 1, 1, dec8],
    ["Sources", 2, 2, dec16],
    ["Group", 4, addressBytes, show],
  ];
  const fields: Field[] = [];
  for (let at = start, left = count; left > 0 && at + 4 + addressBytes <= end; left--) {
    const sources = readU16(bytes, at + 2);
    fields.push(
      ...rowsAt(place, at, rows),
      ...sourceFields(place, at + 4 + addressBytes, sources, addressBytes, show),
    );
    at += 4 + addressBytes * (1 + sources) + 4 * bytes[at + 1]!;
  }
  return fields;
}

const HEADER: readonly Row[] = [
  ["Type", 0, 1, dec8, TYPES],
  ["Checksum", 2, 2, hex16],
];

export const IGMP: Protocol = {
  name: "IGMP",
  isSized: true,
  least: [RECORD_BYTES, "IGMP"],
  length: ({ at, end }) => end - at,
  layout: ({ bytes, at, end }) => {
    if (bytes[at] === TYPE.report3) return [...HEADER, ["Records", 6, 2, dec16]];
    const isQuery3 = bytes[at] === TYPE.query && end - at >= QUERY_3_BYTES;
    return [
      ...HEADER,
      ["Response time", 1, 1, (message, start) => `${fromFloat(message[start]!) / 10} s`],
      ["Group", 4, 4, ipv4],
      ...(isQuery3 ? queryRows(RECORD_BYTES) : []),
    ];
  },
  list: (place) => {
    const { bytes, at } = place;
    if (bytes[at] === TYPE.report3)
      return recordFields(place, at + RECORD_BYTES, readU16(bytes, at + 6), 4, ipv4);
    return bytes[at] === TYPE.query
      ? sourceFields(place, at + QUERY_3_BYTES, readU16(bytes, at + 10), 4, ipv4)
      : [];
  },
};
