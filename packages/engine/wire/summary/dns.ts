/**
 * Describes DNS messages (RFC 1035): the first question, and the answers that fit on one line. It does not use the parser of
 * `wire`, which skips unknown records and rejects incomplete messages.
 */
import { readU16, readU32 } from "../../base/bytes.ts";
import { DNS_A, DNS_AAAA } from "../dns.ts";
import { formatIpv4 } from "../ipv4-address.ts";
import { formatIpv6, readIpv6 } from "../ipv6-address.ts";
import { hex } from "./packet.ts";
import { printable } from "./printable.ts";

const HEADER_BYTES = 12;
const FLAG_RESPONSE = 0x8000;
/** A compressed name contains pointers; a name with more pointers than this is taken for a loop. */
const MOST_JUMPS = 32;
const MOST_NAME_CHARACTERS = 255;
const MOST_ANSWERS_SHOWN = 4;

/** Record types whose data is a name, with the name's offset: MX has a number before it. */
const NAME_AT: Readonly<Record<number, number>> = { 2: 0, 5: 0, 12: 0, 15: 2 };

const TYPE_NAMES: Readonly<Record<number, string>> = {
  [DNS_A]: "A",
  2: "NS",
  5: "CNAME",
  6: "SOA",
  12: "PTR",
  15: "MX",
  16: "TXT",
  [DNS_AAAA]: "AAAA",
  33: "SRV",
  41: "OPT",
  65: "HTTPS",
  255: "ANY",
};

const RESPONSE_CODES = ["", "Format error", "Server failure", "No such name", "Not implemented", "Refused"];

interface Name {
  readonly text: string;
  /** The offset after the name in place, not after the target of its pointers. */
  readonly end: number;
}

/** Returns undefined if the data are too short for a DNS message. */
export function describeDns(data: Uint8Array): string | undefined {
  if (data.length < HEADER_BYTES) return undefined;
  const flags = readU16(data, 2);
  const isResponse = (flags & FLAG_RESPONSE) !== 0;
  const opcode = (flags >> 11) & 15;
  const start = `${isResponse ? "response" : "query"} ${hex(readU16(data, 0))}`;
  if (opcode !== 0) return `${start} opcode ${opcode}`;
  const questions = readQuestions(data, readU16(data, 4));
  if (questions === undefined) return `${start} malformed: the question does not end`;
  const asked = questions.text === "" ? "" : ` ${questions.text}`;
  if (!isResponse) return `${start}${asked}`;
  const code = flags & 15;
  if (code !== 0) return `${start}${asked}: ${RESPONSE_CODES[code] ?? `code ${code}`}`;
  const answers = readAnswers(data, questions.end, readU16(data, 6));
  return `${start}${asked}: ${answers.join(", ") || "no answers"}`;
}

/** Returns the text of the first question, and the offset after the last one. */
function readQuestions(data: Uint8Array, count: number): Name | undefined {
  let text = "";
  let at = HEADER_BYTES;
  for (let index = 0; index < count; index++) {
    const name = readName(data, at);
    if (name === undefined || name.end + 4 > data.length) return undefined;
    if (index === 0) text = `${typeName(readU16(data, name.end))} ${name.text}`;
    at = name.end + 4;
  }
  return { text, end: at };
}

function readAnswers(data: Uint8Array, start: number, count: number): string[] {
  const shown: string[] = [];
  let at = start;
  for (let index = 0; index < count; index++) {
    if (index === MOST_ANSWERS_SHOWN) return [...shown, `${count - index} more`];
    const name = readName(data, at);
    if (name === undefined || name.end + 10 > data.length) return [...shown, "malformed answer"];
    const type = readU16(data, name.end);
    const length = readU16(data, name.end + 8);
    const value = name.end + 10;
    if (value + length > data.length) return [...shown, "malformed answer"];
    shown.push(answerText(data, type, value, length));
    at = value + length;
  }
  return shown;
}

function answerText(data: Uint8Array, type: number, at: number, length: number): string {
  const name = typeName(type);
  if (type === DNS_A && length === 4) return `${name} ${formatIpv4(readU32(data, at))}`;
  if (type === DNS_AAAA && length === 16) return `${name} ${formatIpv6(readIpv6(data, at))}`;
  const nameAt = NAME_AT[type];
  const target = nameAt === undefined ? undefined : readName(data, at + nameAt);
  return target ? `${name} ${target.text}` : name;
}

const typeName = (type: number): string => TYPE_NAMES[type] ?? `TYPE${type}`;

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
