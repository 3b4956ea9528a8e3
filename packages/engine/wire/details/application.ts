/** DHCP (RFC 2131, options of RFC 2132) and the header of DNS (RFC 1035). */
import { readU16 } from "../../base/bytes.ts";
import {
  dec8,
  dec16,
  dec32,
  type Field,
  flagNames,
  hex16,
  hex32,
  ipv4,
  mac,
  makeLayer,
  named,
  type Reader,
  type Row,
  readRows,
} from "./layer.ts";

const BOOTP: readonly Row[] = [
  ["Message", 0, 1, (bytes, at) => named(bytes[at]!, ["", "request", "reply"][bytes[at]!])],
  ["Transaction", 4, 4, hex32],
  ["Seconds", 8, 2, dec16],
  ["Flags", 10, 2, hex16],
  ["Client IP", 12, 4, ipv4],
  ["Your IP", 16, 4, ipv4],
  ["Server IP", 20, 4, ipv4],
  ["Relay IP", 24, 4, ipv4],
  ["Client MAC", 28, 6, mac],
  ["Magic cookie", 236, 4, hex32],
];
const OPTIONS_AT = 240;
const OPTION_PAD = 0;
const OPTION_END = 255;
const MESSAGES = ["", "discover", "offer", "request", "decline", "ack", "nak", "release", "inform"];

interface Option {
  readonly name: string;
  readonly bytes: number;
  readonly show: (bytes: Uint8Array, at: number) => string;
}

const OPTIONS: Readonly<Record<number, Option>> = {
  1: { name: "Subnet mask", bytes: 4, show: ipv4 },
  3: { name: "Router", bytes: 4, show: ipv4 },
  6: { name: "DNS server", bytes: 4, show: ipv4 },
  50: { name: "Requested address", bytes: 4, show: ipv4 },
  51: { name: "Lease time", bytes: 4, show: (bytes, at) => `${dec32(bytes, at)} s` },
  53: { name: "Message type", bytes: 1, show: (bytes, at) => named(dec8(bytes, at), MESSAGES[bytes[at]!]) },
  54: { name: "Server", bytes: 4, show: ipv4 },
};

export const readDhcp: Reader = (bytes, at, end) => {
  const fields = [
    ...readRows(bytes, at, end, BOOTP),
    ...readOptions(bytes, Math.min(at + OPTIONS_AT, end), end),
  ];
  return { layer: makeLayer("DHCP", at, end - at, end, fields) };
};

function readOptions(bytes: Uint8Array, start: number, end: number): Field[] {
  const fields: Field[] = [];
  for (let at = start; at < end && bytes[at] !== OPTION_END; ) {
    if (bytes[at] === OPTION_PAD) {
      at += 1;
      continue;
    }
    const length = bytes[at + 1] ?? 0;
    if (at + 2 + length > end) break;
    fields.push({ ...showOption(bytes, at, length), at, length: 2 + length });
    at += 2 + length;
  }
  return fields;
}

function showOption(bytes: Uint8Array, at: number, length: number): Pick<Field, "label" | "value"> {
  const code = bytes[at]!;
  const known = OPTIONS[code];
  if (known !== undefined && length >= known.bytes)
    return { label: known.name, value: known.show(bytes, at + 2) };
  return { label: `Option ${code}`, value: `${length} bytes` };
}

const DNS_FLAGS = [
  [0x8000, "response"],
  [0x0400, "authoritative"],
  [0x0200, "truncated"],
  [0x0100, "recursion desired"],
  [0x0080, "recursion available"],
] as const;
const RESPONSE_CODES = [
  "no error",
  "format error",
  "server failure",
  "no such name",
  "not implemented",
  "refused",
];

const DNS: readonly Row[] = [
  ["Transaction", 0, 2, hex16],
  ["Flags", 2, 2, (bytes, at) => flagNames(readU16(bytes, at), DNS_FLAGS)],
  ["Response code", 3, 1, (bytes, at) => named(bytes[at]! & 15, RESPONSE_CODES[bytes[at]! & 15])],
  ["Questions", 4, 2, dec16],
  ["Answers", 6, 2, dec16],
  ["Authority records", 8, 2, dec16],
  ["Additional records", 10, 2, dec16],
];

export const readDns: Reader = (bytes, at, end) => ({
  layer: makeLayer("DNS", at, end - at, end, readRows(bytes, at, end, DNS)),
});
