/**
 * DNS messages (RFC 1035 section 4; AAAA of RFC 3596): the payload of a UDP datagram of port 53.
 *
 *     0    2       4           6         8           10           12
 *     id   flags   questions   answers   authority   additional   questions, answers, ...
 *
 * Names are text without the last dot; bytes that are not valid in a name are written `\DDD` (RFC 4343 section 2.1), so that
 * every name a server sends can be printed.
 */
import { concatBytes, readU16, readU32, writeU16, writeU32 } from "../base/bytes.ts";
import { readIpv6, writeIpv6 } from "./ipv6-address.ts";

export const DNS_PORT = 53;

export const DNS_A = 1;
export const DNS_CNAME = 5;
export const DNS_SOA = 6;
export const DNS_PTR = 12;
export const DNS_AAAA = 28;

export const RCODE_OK = 0;
export const RCODE_FORMAT_ERROR = 1;
export const RCODE_SERVER_FAILURE = 2;
export const RCODE_NO_SUCH_NAME = 3;
export const RCODE_NOT_IMPLEMENTED = 4;
export const RCODE_REFUSED = 5;

const CLASS_INTERNET = 1;
const HEADER_BYTES = 12;
export const FLAG_RESPONSE = 0x8000;
const FLAG_RECURSION_DESIRED = 0x0100;
const RCODE_MASK = 15;
const LABEL_MAX_BYTES = 63;
/** Includes the length bytes and the root (RFC 1035, 2.3.4). */
const NAME_MAX_BYTES = 255;
const POINTER = 0xc0;
/** A valid name has one pointer, at most two. Without a limit, a pointer to itself would loop for ever. */
const POINTERS_MAX = 16;

export interface DnsQuestion {
  readonly name: string;
  readonly type: number;
}

export type DnsRecord =
  | { readonly type: typeof DNS_A; readonly name: string; readonly address: number }
  | { readonly type: typeof DNS_AAAA; readonly name: string; readonly address: bigint }
  | { readonly type: typeof DNS_CNAME; readonly name: string; readonly canonical: string };

export interface DnsMessage {
  readonly id: number;
  readonly response: boolean;
  readonly recursionDesired: boolean;
  readonly rcode: number;
  readonly questions: readonly DnsQuestion[];
  /** Records of the types known here; decoding omits others. */
  readonly answers: readonly DnsRecord[];
}

/** Encodes a question for the addresses of a name; returns null for an invalid name (empty or too long labels). */
export function encodeDnsQuery(id: number, name: string, type: number): Uint8Array | null {
  if (encodeDnsName(name) === null) return null;
  return encodeDns({
    id,
    response: false,
    recursionDesired: true,
    rcode: RCODE_OK,
    questions: [{ name, type }],
    answers: [],
  });
}

/** Encodes without compression; the TTL is a minute. Throws a RangeError for names that `encodeDecodedName` rejects. */
export function encodeDns({ questions, answers, ...message }: DnsMessage): Uint8Array {
  const header = new Uint8Array(HEADER_BYTES);
  const flags =
    (message.response ? FLAG_RESPONSE : 0) | (message.recursionDesired ? FLAG_RECURSION_DESIRED : 0);
  writeU16(header, 0, message.id);
  writeU16(header, 2, flags | message.rcode);
  writeU16(header, 4, questions.length);
  writeU16(header, 6, answers.length);
  return concatBytes(header, ...questions.map(encodeQuestion), ...answers.map(encodeRecord));
}

function encodeQuestion({ name, type }: DnsQuestion): Uint8Array {
  const tail = new Uint8Array(4);
  writeU16(tail, 0, type);
  writeU16(tail, 2, CLASS_INTERNET);
  return concatBytes(encodeDecodedName(name), tail);
}

const RECORD_LIFE_SECONDS = 60;

function encodeRecord(record: DnsRecord): Uint8Array {
  const data = encodeRecordData(record);
  const middle = new Uint8Array(10);
  writeU16(middle, 0, record.type);
  writeU16(middle, 2, CLASS_INTERNET);
  writeU32(middle, 4, RECORD_LIFE_SECONDS);
  writeU16(middle, 8, data.length);
  return concatBytes(encodeDecodedName(record.name), middle, data);
}

function encodeRecordData(record: DnsRecord): Uint8Array {
  if (record.type === DNS_CNAME) return encodeDecodedName(record.canonical);
  const data = new Uint8Array(record.type === DNS_A ? 4 : 16);
  if (record.type === DNS_A) writeU32(data, 0, record.address);
  else writeIpv6(data, 0, record.address);
  return data;
}

/** Encodes a name as `decodeDnsName` returns it: every such name, also the root's, which is empty. Throws a RangeError for others. */
export function encodeDecodedName(name: string): Uint8Array {
  const bytes = name === "" ? Uint8Array.of(0) : encodeDnsName(name);
  if (bytes === null) throw new RangeError(`dns: ${JSON.stringify(name)} is no domain name`);
  return bytes;
}

/**
 * Returns a name's labels; null for one that is no name. Allows a last dot; rejects characters above 255. `\DDD` is one byte, as in
 * names that were decoded.
 */
export function encodeDnsName(name: string): Uint8Array | null {
  const labels = name.replace(/\.$/, "").split(".");
  const bytes: number[] = [];
  for (const label of labels) {
    const codes = [...label.replaceAll(ESCAPE, unescaped)].map(
      (character) => character.codePointAt(0) as number,
    );
    if (codes.length === 0 || codes.length > LABEL_MAX_BYTES || codes.some((code) => code > 255)) return null;
    bytes.push(codes.length, ...codes);
  }
  return bytes.length + 1 > NAME_MAX_BYTES ? null : Uint8Array.of(...bytes, 0);
}

/** Returns null if the header or a question is truncated; decodes answers up to the first incomplete one. */
export function decodeDns(data: Uint8Array): DnsMessage | null {
  if (data.length < HEADER_BYTES) return null;
  const flags = readU16(data, 2);
  const questions: DnsQuestion[] = [];
  let at = HEADER_BYTES;
  for (let left = readU16(data, 4); left > 0; left--) {
    const name = decodeDnsName(data, at);
    if (name === null || name.end + 4 > data.length) return null;
    questions.push({ name: name.text, type: readU16(data, name.end) });
    at = name.end + 4;
  }
  return {
    id: readU16(data, 0),
    response: (flags & FLAG_RESPONSE) !== 0,
    recursionDesired: (flags & FLAG_RECURSION_DESIRED) !== 0,
    rcode: flags & RCODE_MASK,
    questions,
    answers: decodeAnswers(data, at, readU16(data, 6)),
  };
}

function decodeAnswers(data: Uint8Array, start: number, count: number): DnsRecord[] {
  const answers: DnsRecord[] = [];
  let at = start;
  for (let left = count; left > 0; left--) {
    const name = decodeDnsName(data, at);
    if (name === null || name.end + 10 > data.length) break;
    const dataStart = name.end + 10;
    const end = dataStart + readU16(data, name.end + 8);
    if (end > data.length) break;
    const isInternet = readU16(data, name.end + 2) === CLASS_INTERNET;
    const record = isInternet && decodeRecord(data, name, dataStart, end);
    if (record) answers.push(record);
    at = end;
  }
  return answers;
}

function decodeRecord(data: Uint8Array, name: ReadName, start: number, end: number): DnsRecord | undefined {
  const type = readU16(data, name.end);
  if (type === DNS_A && end - start === 4) return { type, name: name.text, address: readU32(data, start) };
  if (type === DNS_AAAA && end - start === 16)
    return { type, name: name.text, address: readIpv6(data, start) };
  const canonical = type === DNS_CNAME ? decodeDnsName(data, start) : null;
  return canonical ? { type: DNS_CNAME, name: name.text, canonical: canonical.text } : undefined;
}

interface ReadName {
  readonly text: string;
  /** The offset after the name. */
  readonly end: number;
}

/** Returns null for a name that is truncated, too long, or has looping pointers. */
export function decodeDnsName(data: Uint8Array, start: number): ReadName | null {
  const labels: string[] = [];
  let end: number | undefined;
  let at = start;
  let nameBytes = 1;
  let pointers = 0;
  for (;;) {
    const length = data[at];
    if (length === undefined) return null;
    if (length === 0) return { text: labels.join("."), end: end ?? at + 1 };
    if ((length & POINTER) === POINTER) {
      if (at + 2 > data.length || ++pointers > POINTERS_MAX) return null;
      end ??= at + 2;
      at = readU16(data, at) & 0x3fff;
      continue;
    }
    nameBytes += length + 1;
    if (length > LABEL_MAX_BYTES || at + 1 + length > data.length || nameBytes > NAME_MAX_BYTES) return null;
    labels.push(labelText(data.subarray(at + 1, at + 1 + length)));
    at += 1 + length;
  }
}

const ESCAPE = /\\([0-9]{3})/g;
const unescaped = (whole: string, digits: string): string =>
  Number(digits) > 255 ? whole : String.fromCharCode(Number(digits));

const labelText = (label: Uint8Array): string =>
  Array.from(label, (byte) =>
    byte > 0x20 && byte < 0x7f && byte !== 0x2e && byte !== 0x5c
      ? String.fromCharCode(byte)
      : `\\${String(byte).padStart(3, "0")}`,
  ).join("");

/** Compares names without regard to the case of ASCII letters (RFC 4343). */
export const sameName = (a: string, b: string): boolean =>
  a.length === b.length && a.toLowerCase() === b.toLowerCase();
