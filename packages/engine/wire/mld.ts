/**
 * Multicast listener discovery, versions 1 (RFC 2710) and 2 (RFC 3810): messages of ICMPv6 behind a hop-by-hop header with a router alert.
 *
 *     0      1      2          4               6          8       24 (version 2 only)
 *     type   code   checksum   response time   reserved   group   a query's flags and sources; a report has a list of groups at 8
 */
import { readU16, writeU16 } from "../base/bytes.ts";
import { checksum, pseudoHeaderSum6 } from "../base/checksum.ts";
import { ETHERNET_HEADER_BYTES, ETHERTYPE_IPV6, writeEthernetHeader } from "./ethernet.ts";
import {
  effectOf,
  type GroupMessage,
  type GroupQuery,
  queryRows,
  recordFields,
  sourceFields,
} from "./igmp.ts";
import { PROTOCOL_ICMPV6 } from "./ipv4.ts";
import { IPV6_HEADER_BYTES } from "./ipv6.ts";
import { ALL_NODES, isMulticastIpv6, readIpv6, writeIpv6 } from "./ipv6-address.ts";
import { ipv6MulticastMac } from "./mac.ts";
import type { Field, Names, Place, Row } from "./protocol.ts";
import { dec16, ipv6 } from "./show.ts";

const TYPE = { query: 130, report1: 131, done: 132, report2: 143 } as const;

const HOP_BY_HOP = 0;
const HOP_BY_HOP_BYTES = 8;
/** RFC 2711: the option, its length, and its value for MLD; a padding of two bytes follows. */
const ROUTER_ALERT = [0x05, 0x02, 0x00, 0x00, 0x01, 0x00] as const;
const ROUTER_ALERT_TYPE = 0x05;
const HEADER_BYTES = 24;
const HEADER_2_BYTES = 28;
const RECORDS_AT = 8;
const RECORD_BYTES = 20;
const ADDRESS_BYTES = 16;
const MILLISECOND_US = 1_000;
/** Values from 32768 on have an exponent and a mantissa (RFC 3810, 5.1.3). */
const FLOAT = 0x8000;
const ROBUSTNESS = 2;

/**
 * @param at the offset of the IPv6 header. @param end where the packet ends.
 * @returns undefined for other packets, and for messages that are short, have a wrong checksum, or may come from another link.
 */
export function decodeMld(bytes: Uint8Array, at: number, end: number): GroupMessage<bigint> | undefined {
  const options = at + IPV6_HEADER_BYTES;
  const isHopByHop = bytes[at + 6] === HOP_BY_HOP && bytes[at + 7] === 1 && options + HOP_BY_HOP_BYTES <= end;
  if (!isHopByHop || bytes[options] !== PROTOCOL_ICMPV6) return undefined;
  const message = options + (bytes[options + 1]! + 1) * HOP_BY_HOP_BYTES;
  if (message + RECORDS_AT > end || !hasRouterAlert(bytes, options + 2, message)) return undefined;
  const sum = pseudoHeaderSum6(bytes, at, PROTOCOL_ICMPV6, end - message);
  return checksum(bytes, message, end, sum) === 0 ? decodeMessage(bytes, message, end) : undefined;
}

function hasRouterAlert(bytes: Uint8Array, from: number, end: number): boolean {
  let option = from;
  while (option < end) {
    if (bytes[option] === ROUTER_ALERT_TYPE) return true;
    // An option of one byte is padding.
    option += bytes[option] === 0 ? 1 : 2 + (bytes[option + 1] ?? 0);
  }
  return false;
}

function decodeMessage(bytes: Uint8Array, at: number, end: number): GroupMessage<bigint> | undefined {
  const type = bytes[at];
  if (type === TYPE.report2) return decodeReport2(bytes, at, end);
  if (at + HEADER_BYTES > end) return undefined;
  const group = readIpv6(bytes, at + RECORDS_AT);
  if (type === TYPE.query) return decodeQuery(bytes, at, end, group);
  if (!isMulticastIpv6(group)) return undefined;
  if (type === TYPE.report1) return { kind: "report", joins: [group], leaves: [] };
  return type === TYPE.done ? { kind: "report", joins: [], leaves: [group] } : undefined;
}

function decodeQuery(
  bytes: Uint8Array,
  at: number,
  end: number,
  group: bigint,
): GroupMessage<bigint> | undefined {
  if (group !== 0n && !isMulticastIpv6(group)) return undefined;
  const code = readU16(bytes, at + 4);
  const isVersion2 = end - at >= HEADER_2_BYTES;
  const maxResponseUs = (isVersion2 ? fromFloat(code) : code) * MILLISECOND_US;
  const keepsTimers = isVersion2 && ((bytes[at + 24]! & 8) !== 0 || readU16(bytes, at + 26) > 0);
  return { kind: "query", group, maxResponseUs, keepsTimers };
}

const fromFloat = (code: number): number =>
  code < FLOAT ? code : ((code & 0xfff) | 0x1000) << (((code >> 12) & 7) + 3);

function decodeReport2(bytes: Uint8Array, at: number, end: number): GroupMessage<bigint> | undefined {
  const joins: bigint[] = [];
  const leaves: bigint[] = [];
  let record = at + RECORDS_AT;
  for (let left = readU16(bytes, at + 6); left > 0; left--) {
    if (record + RECORD_BYTES > end) return undefined;
    const type = bytes[record]!;
    const sources = readU16(bytes, record + 2);
    const group = readIpv6(bytes, record + 4);
    const next = record + RECORD_BYTES + sources * ADDRESS_BYTES + bytes[record + 1]! * 4;
    if (next > end) return undefined;
    record = next;
    if (!isMulticastIpv6(group)) continue;
    const effect = effectOf(type, sources > 0);
    if (effect === "join") joins.push(group);
    else if (effect === "leave") leaves.push(group);
  }
  return { kind: "report", joins, leaves };
}

/** @param source the MAC address of the sender. @returns a frame. */
export function encodeMldQuery(query: GroupQuery<bigint>, source: number): Uint8Array {
  const { version, group, maxResponseUs, address, interval } = query;
  const target = group === 0n ? ALL_NODES : group;
  const messageBytes = version === 2 ? HEADER_2_BYTES : HEADER_BYTES;
  const at = ETHERNET_HEADER_BYTES;
  const options = at + IPV6_HEADER_BYTES;
  const message = options + HOP_BY_HOP_BYTES;
  const frame = new Uint8Array(message + messageBytes);
  writeEthernetHeader(frame, ipv6MulticastMac(target), source, ETHERTYPE_IPV6);
  frame[at] = 0x60;
  writeU16(frame, at + 4, HOP_BY_HOP_BYTES + messageBytes);
  frame.set([HOP_BY_HOP, 1], at + 6);
  writeIpv6(frame, at + 8, address);
  writeIpv6(frame, at + 24, target);
  frame.set([PROTOCOL_ICMPV6, 0, ...ROUTER_ALERT], options);
  frame[message] = TYPE.query;
  writeU16(frame, message + 4, Math.round(maxResponseUs / MILLISECOND_US));
  writeIpv6(frame, message + RECORDS_AT, group);
  if (version === 2) frame.set([ROBUSTNESS, interval], message + HEADER_BYTES);
  const sum = pseudoHeaderSum6(frame, at, PROTOCOL_ICMPV6, messageBytes);
  writeU16(frame, message + 2, checksum(frame, message, frame.length, sum));
  return frame;
}

/** As types of ICMPv6. */
export const MLD_NAMES = (): Names => ({
  [TYPE.query]: "multicast listener query",
  [TYPE.report1]: "multicast listener report",
  [TYPE.done]: "multicast listener done",
  [TYPE.report2]: "multicast listener report (version 2)",
});

/** The rows of a message, behind type, code and checksum; none for other messages of ICMPv6. */
export function mldRows({ bytes, at, end }: Place): readonly Row[] {
  const type = bytes[at]!;
  if (MLD_NAMES()[type] === undefined) return [];
  if (type === TYPE.report2) return [["Records", 6, 2, dec16]];
  return [
    ["Response time", 4, 2, (message, start) => `${fromFloat(readU16(message, start))} ms`],
    ["Group", RECORDS_AT, ADDRESS_BYTES, ipv6],
    ...(type === TYPE.query && end - at >= HEADER_2_BYTES ? queryRows(HEADER_BYTES) : []),
  ];
}

/** The sources of a query, and the records of a report. */
export function mldRecords(place: Place): Field[] {
  const { bytes, at } = place;
  if (bytes[at] === TYPE.report2)
    return recordFields(place, at + RECORDS_AT, readU16(bytes, at + 6), ADDRESS_BYTES, ipv6);
  if (bytes[at] !== TYPE.query) return [];
  return sourceFields(place, at + HEADER_2_BYTES, readU16(bytes, at + 26), ADDRESS_BYTES, ipv6);
}
