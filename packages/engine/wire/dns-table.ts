/**
 * DNS messages as a table. It does not use the parser of `dns.ts`, which skips unknown records and rejects incomplete messages: a line has the
 * first question and the answers that fit, and details have what is there.
 */
import { readU16 } from "../base/bytes.ts";
import { DNS_A, DNS_AAAA, DNS_CNAME, DNS_PTR, DNS_SOA, FLAG_RESPONSE } from "./dns.ts";
import type { Field, Names, Place, Protocol, Row } from "./protocol.ts";
import {
  capital,
  dec16,
  flagNames,
  hex16,
  hexOf,
  ipv4,
  ipv6,
  printable,
  rowsAt,
  seconds,
  withName,
} from "./show.ts";

const HEADER_BYTES = 12;
/** A compressed name contains pointers; a name with more pointers than this is taken for a loop. */
const MOST_JUMPS = 32;
const MOST_NAME_CHARACTERS = 255;
const MOST_ANSWERS_SHOWN = 4;
/** A question or record has the fields that are the same for all in so many bytes behind its name. */
const QUESTION_BYTES = 4;
const RECORD_BYTES = 10;

const DNS_NS = 2;
const DNS_MX = 15;
/** Record types whose data is a name, with the name's offset: MX has a number before it. */
const NAME_AT: Readonly<Record<number, number>> = { [DNS_NS]: 0, [DNS_CNAME]: 0, [DNS_PTR]: 0, [DNS_MX]: 2 };

const TYPES: Names = {
  [DNS_A]: "A",
  [DNS_NS]: "NS",
  [DNS_CNAME]: "CNAME",
  [DNS_SOA]: "SOA",
  [DNS_PTR]: "PTR",
  [DNS_MX]: "MX",
  16: "TXT",
  [DNS_AAAA]: "AAAA",
  33: "SRV",
  41: "OPT",
  65: "HTTPS",
  255: "ANY",
};
const CLASSES: Names = { 1: "IN", 255: "ANY" };
const RESPONSE_CODES: Names = {
  0: "no error",
  1: "format error",
  2: "server failure",
  3: "no such name",
  4: "not implemented",
  5: "refused",
};
const FLAGS = [
  [FLAG_RESPONSE, "response"],
  [0x0400, "authoritative"],
  [0x0200, "truncated"],
  [0x0100, "recursion desired"],
  [0x0080, "recursion available"],
  [0x0020, "authentic"],
  [0x0010, "checking disabled"],
] as const;

const opcodeOf = (flags: number): number => (flags >> 11) & 15;
const typeName = (type: number): string => TYPES[type] ?? `TYPE${type}`;

interface Name {
  readonly text: string;
  /** The offset after the name in place, not after the target of its pointers. */
  readonly end: number;
}

/** Reads a name, compressed or not (RFC 1035, 4.1.4); returns undefined if it does not end within the message. */
function readName(data: Uint8Array, start: number): Name | undefined {
  const labels: string[] = [];
  let characters = 0;
  let at = start;
  let end: number | undefined;
  for (let jumps = 0; jumps <= MOST_JUMPS; ) {
    const length = data[at];
    if (length === undefined) return undefined;
    if (length === 0) return { text: labels.join(".") || ".", end: end ?? at + 1 };
    if (length >= 0xc0) {
      if (at + 2 > data.length) return undefined;
      end ??= at + 2;
      at = readU16(data, at) & 0x3fff;
      jumps += 1;
    } else {
      characters += length + 1;
      if (length > 63 || characters > MOST_NAME_CHARACTERS || at + 1 + length > data.length) return undefined;
      labels.push(printable(data.subarray(at + 1, at + 1 + length)));
      at += 1 + length;
    }
  }
  return undefined;
}

/** A question or a record. */
interface Entry {
  readonly at: number;
  readonly name: Name;
  readonly type: number;
  /** The data of a record. */
  readonly value: number;
  readonly end: number;
}

/** Reads the entry at an offset; undefined if it does not end within the message. */
function readEntry(data: Uint8Array, at: number, headBytes: number): Entry | undefined {
  const name = readName(data, at);
  if (name === undefined || name.end + headBytes > data.length) return undefined;
  const value = name.end + headBytes;
  const end = value + (headBytes === RECORD_BYTES ? readU16(data, name.end + 8) : 0);
  return end > data.length ? undefined : { at, name, type: readU16(data, name.end), value, end };
}

function describe(data: Uint8Array): string {
  const flags = readU16(data, 2);
  const isResponse = (flags & FLAG_RESPONSE) !== 0;
  const opcode = opcodeOf(flags);
  const start = `${isResponse ? "response" : "query"} ${hex16(data, 0)}`;
  if (opcode !== 0) return `${start} opcode ${opcode}`;
  let [asked, at] = ["", HEADER_BYTES];
  for (let index = 0; index < readU16(data, 4); index++) {
    const question = readEntry(data, at, QUESTION_BYTES);
    if (question === undefined) return `${start} malformed: the question does not end`;
    if (index === 0) asked = ` ${typeName(question.type)} ${question.name.text}`;
    at = question.end;
  }
  if (!isResponse) return `${start}${asked}`;
  const code = flags & 15;
  if (code !== 0) return `${start}${asked}: ${capital(RESPONSE_CODES[code] ?? "") || `code ${code}`}`;
  return `${start}${asked}: ${answersOf(data, at, readU16(data, 6)).join(", ") || "no answers"}`;
}

function answersOf(data: Uint8Array, start: number, count: number): string[] {
  const shown: string[] = [];
  let at = start;
  for (let index = 0; index < count; index++) {
    if (index === MOST_ANSWERS_SHOWN) return [...shown, `${count - index} more`];
    const record = readEntry(data, at, RECORD_BYTES);
    if (record === undefined) return [...shown, "malformed answer"];
    const value = dataText(data, record);
    shown.push(`${typeName(record.type)}${value === undefined ? "" : ` ${value}`}`);
    at = record.end;
  }
  return shown;
}

/** The address or the name in a record. */
function dataText(data: Uint8Array, { type, value, end }: Entry): string | undefined {
  if (type === DNS_A && end - value === 4) return ipv4(data, value);
  if (type === DNS_AAAA && end - value === 16) return ipv6(data, value);
  const nameAt = NAME_AT[type];
  return nameAt === undefined ? undefined : readName(data, value + nameAt)?.text;
}

const HEAD: readonly Row[] = [
  ["Record type", 0, 2, dec16, TYPES],
  ["Class", 2, 2, dec16, CLASSES],
];

function fieldsOf(place: Place): Field[] {
  const data = place.bytes.subarray(place.at, place.end);
  if (data.length < HEADER_BYTES) return [];
  const sections = [4, 6, 8, 10].map((offset) => readU16(data, offset));
  const fields: Field[] = [];
  let at = HEADER_BYTES;
  for (const [section, count] of sections.entries()) {
    const headBytes = section === 0 ? QUESTION_BYTES : RECORD_BYTES;
    for (let left = count; left > 0; left--) {
      const entry = readEntry(data, at, headBytes);
      if (entry === undefined) return fields;
      fields.push(...entryFields(place, data, entry, section === 0));
      at = entry.end;
    }
  }
  return fields;
}

function entryFields(place: Place, data: Uint8Array, entry: Entry, isQuestion: boolean): Field[] {
  const { at, name, value, end } = entry;
  const base = place.at;
  const head = rowsAt(place, base + name.end, [
    ...HEAD,
    ...(isQuestion
      ? []
      : ([
          ["Life", 4, 4, seconds],
          ["Data length", 8, 2, dec16],
        ] as const)),
  ]);
  const text = dataText(data, entry) ?? hexOf(data.subarray(value, end));
  return [
    { label: isQuestion ? "Question" : "Record", value: name.text, at: base + at, length: name.end - at },
    ...head,
    ...(end > value ? [{ label: "Data", value: text, at: base + value, length: end - value }] : []),
  ];
}

export const DNS: Protocol = {
  name: "DNS",
  isGuess: true,
  least: [HEADER_BYTES, "DNS header"],
  length: ({ at, end }) => end - at,
  layout: [
    ["Transaction", 0, 2, hex16],
    ["Flags", 2, 2, (bytes, at) => flagNames(readU16(bytes, at), FLAGS)],
    ["Operation", 2, 1, (bytes, at) => String((bytes[at]! >> 3) & 15)],
    [
      "Response code",
      3,
      1,
      (bytes, at) => withName(String(bytes[at]! & 15), RESPONSE_CODES[bytes[at]! & 15]),
    ],
    ["Questions", 4, 2, dec16],
    ["Answers", 6, 2, dec16],
    ["Authority records", 8, 2, dec16],
    ["Additional records", 10, 2, dec16],
  ],
  list: fieldsOf,
  line: ({ bytes, at, end }) => describe(bytes.subarray(at, end)),
};
