/**
 * DNS messages as a server sees them (RFC 1035, section 4; EDNS of RFC 6891): queries with their limits, responses with the lives of their
 * records. `dns.ts` has what a client needs.
 */
import { concatBytes, readU16, readU32, writeU16, writeU32 } from "../base/bytes.ts";
import { DNS_A, DNS_AAAA, DNS_CNAME, DNS_PTR, DNS_SOA, decodeDnsName, encodeDecodedName } from "./dns.ts";
import { formatIpv4, parseIpv4 } from "./ipv4-address.ts";
import { formatIpv6, parseIpv6, readIpv6, writeIpv6 } from "./ipv6-address.ts";

export const DNS_ANY = 255;
export const DNS_CLASS_INTERNET = 1;
/** RFC 1035, section 4.2.1: what every client takes. */
export const DNS_UDP_BYTES = 512;
/** The payload that passes every link without fragments (DNS flag day 2020). */
export const EDNS_UDP_BYTES = 1_232;

export const FLAG_RESPONSE = 0x8000;
export const FLAG_AUTHORITATIVE = 0x0400;
export const FLAG_TRUNCATED = 0x0200;
export const FLAG_RECURSION_DESIRED = 0x0100;
export const FLAG_RECURSION_AVAILABLE = 0x0080;
const OPCODE_MASK = 0x7800;
const RCODE_MASK = 15;
const HEADER_BYTES = 12;
const TYPE_OPT = 41;
/** A pointer to the name of the question. */
const QUESTION_POINTER = Uint8Array.of(0xc0, HEADER_BYTES);

export interface DnsQuery {
  readonly id: number;
  readonly flags: number;
  /** 0: a standard query. */
  readonly opcode: number;
  /** Undefined if the message has no readable question, or several. */
  readonly question: ServerQuestion | undefined;
  /** The largest response that the client takes, if it uses EDNS. */
  readonly ednsBytes: number | undefined;
}

export interface ServerQuestion {
  readonly name: string;
  readonly type: number;
  readonly class: number;
  /** As they were sent, in the same case. */
  readonly bytes: Uint8Array;
}

/** A record of a type that can be stored: its value as text, an address or a name. */
export interface StoredRecord {
  readonly name: string;
  readonly type: number;
  readonly ttlSeconds: number;
  readonly value: string;
}

export interface DnsResponse {
  readonly id: number;
  readonly flags: number;
  readonly rcode: number;
  readonly question: ServerQuestion | undefined;
  /** Undefined if a record of the answer has another type, or is incomplete. */
  readonly answers: readonly StoredRecord[] | undefined;
  /** For how long the lack of a record may be stored (RFC 2308, section 5); undefined without an SOA record. */
  readonly negativeSeconds: number | undefined;
}

/** Returns null if the data are shorter than a header. */
export function readDnsQuery(data: Uint8Array): DnsQuery | null {
  if (data.length < HEADER_BYTES) return null;
  const flags = readU16(data, 2);
  const question = readU16(data, 4) === 1 ? readQuestion(data) : undefined;
  return {
    id: readU16(data, 0),
    flags,
    opcode: (flags & OPCODE_MASK) >> 11,
    question,
    ednsBytes: question && ednsBytes(data, HEADER_BYTES + question.bytes.length),
  };
}

function readQuestion(data: Uint8Array): ServerQuestion | undefined {
  const name = decodeDnsName(data, HEADER_BYTES);
  if (name === null || name.end + 4 > data.length) return undefined;
  const bytes = data.subarray(HEADER_BYTES, name.end + 4);
  return { name: name.text, type: readU16(data, name.end), class: readU16(data, name.end + 2), bytes };
}

interface RawRecord {
  readonly name: string;
  readonly type: number;
  readonly class: number;
  readonly ttlSeconds: number;
  readonly start: number;
  readonly end: number;
}

/** Returns the records from `start` on, up to the first incomplete one. */
function readRecords(data: Uint8Array, start: number, count: number): RawRecord[] {
  const records: RawRecord[] = [];
  for (let at = start; records.length < count; ) {
    const name = decodeDnsName(data, at);
    if (name === null || name.end + 10 > data.length) break;
    const dataStart = name.end + 10;
    const end = dataStart + readU16(data, name.end + 8);
    if (end > data.length) break;
    records.push({
      name: name.text,
      type: readU16(data, name.end),
      class: readU16(data, name.end + 2),
      ttlSeconds: readU32(data, name.end + 4),
      start: dataStart,
      end,
    });
    at = end;
  }
  return records;
}

function ednsBytes(data: Uint8Array, at: number): number | undefined {
  const count = readU16(data, 6) + readU16(data, 8) + readU16(data, 10);
  return readRecords(data, at, count).find(({ type }) => type === TYPE_OPT)?.class;
}

/** Returns null if the data are not a response. */
export function readDnsResponse(data: Uint8Array): DnsResponse | null {
  const query = readDnsQuery(data);
  if (query === null || (query.flags & FLAG_RESPONSE) === 0) return null;
  const { id, flags, question } = query;
  const [answerCount, authorityCount] = [readU16(data, 6), readU16(data, 8)];
  const at = HEADER_BYTES + (question?.bytes.length ?? 0);
  const records = question ? readRecords(data, at, answerCount + authorityCount) : [];
  const answers = records.slice(0, answerCount).map((record) => readStored(data, record));
  const isWhole = answers.length === answerCount && answers.every((each) => each !== undefined);
  const soa = records.slice(answerCount).find(({ type }) => type === DNS_SOA);
  return {
    id,
    flags,
    rcode: flags & RCODE_MASK,
    question,
    answers: isWhole ? (answers as StoredRecord[]) : undefined,
    negativeSeconds: soa && negativeSeconds(data, soa),
  };
}

/** The last field of the SOA record is the life of negative answers, if that of the record is not shorter. */
const negativeSeconds = (data: Uint8Array, { ttlSeconds, start, end }: RawRecord): number | undefined =>
  end - start < 22 ? undefined : Math.min(ttlSeconds, readU32(data, end - 4));

function readStored(data: Uint8Array, record: RawRecord): StoredRecord | undefined {
  const { name, type, ttlSeconds, start, end } = record;
  const value = record.class === DNS_CLASS_INTERNET ? readValue(data, type, start, end) : undefined;
  return value === undefined ? undefined : { name, type, ttlSeconds, value };
}

function readValue(data: Uint8Array, type: number, start: number, end: number): string | undefined {
  if (type === DNS_A) return end - start === 4 ? formatIpv4(readU32(data, start)) : undefined;
  if (type === DNS_AAAA) return end - start === 16 ? formatIpv6(readIpv6(data, start)) : undefined;
  return type === DNS_CNAME || type === DNS_PTR ? decodeDnsName(data, start)?.text : undefined;
}

/** Encodes a query for the same question. */
export const encodeForwarded = (id: number, question: ServerQuestion): Uint8Array =>
  concatBytes(header(id, FLAG_RECURSION_DESIRED, 1, 0, 0), question.bytes);

/** Encodes a response, which is truncated if the client does not take it whole. */
export function encodeReply(
  query: DnsQuery,
  flags: number,
  rcode: number,
  answers: readonly StoredRecord[] = [],
): Uint8Array {
  const bytes = answers.map((each) => encodeStored(each, query.question));
  const recursion = query.flags & (FLAG_RECURSION_DESIRED | OPCODE_MASK);
  const fields = FLAG_RESPONSE | recursion | flags | rcode;
  const question = query.question?.bytes ?? new Uint8Array();
  const counts = [query.question ? 1 : 0, answers.length, query.ednsBytes === undefined ? 0 : 1] as const;
  const whole = concatBytes(header(query.id, fields, ...counts), question, ...bytes, optOf(query));
  if (whole.length <= limitOf(query)) return whole;
  const empty = header(query.id, fields | FLAG_TRUNCATED, counts[0], 0, counts[2]);
  return concatBytes(empty, question, optOf(query));
}

/** Passes on another server's response with the client's id, truncated if the client does not take it whole. */
export function relayReply(query: DnsQuery, response: Uint8Array): Uint8Array {
  const opt = optOf(query);
  const relayed = concatBytes(response, opt);
  writeU16(relayed, 0, query.id);
  if (opt.length > 0) writeU16(relayed, 10, readU16(relayed, 10) + 1);
  if (relayed.length <= limitOf(query)) return relayed;
  return encodeReply(query, FLAG_TRUNCATED | FLAG_RECURSION_AVAILABLE, readU16(response, 2) & RCODE_MASK);
}

const limitOf = ({ ednsBytes }: DnsQuery): number =>
  Math.min(Math.max(ednsBytes ?? DNS_UDP_BYTES, DNS_UDP_BYTES), EDNS_UDP_BYTES);

/** RFC 6891, section 6.1.1: a response to a query with EDNS has a record of it, too. */
function optOf({ ednsBytes }: DnsQuery): Uint8Array {
  if (ednsBytes === undefined) return new Uint8Array();
  const opt = new Uint8Array(11);
  writeU16(opt, 1, TYPE_OPT);
  writeU16(opt, 3, EDNS_UDP_BYTES);
  return opt;
}

function header(
  id: number,
  flags: number,
  questions: number,
  answers: number,
  additional: number,
): Uint8Array {
  const bytes = new Uint8Array(HEADER_BYTES);
  for (const [index, value] of [id, flags, questions, answers, 0, additional].entries())
    writeU16(bytes, 2 * index, value);
  return bytes;
}

function encodeStored(record: StoredRecord, question: ServerQuestion | undefined): Uint8Array {
  const isQuestion = record.name.toLowerCase() === question?.name.toLowerCase();
  const name = isQuestion ? QUESTION_POINTER : encodeDecodedName(record.name);
  const value = encodeValue(record);
  const middle = new Uint8Array(10);
  writeU16(middle, 0, record.type);
  writeU16(middle, 2, DNS_CLASS_INTERNET);
  writeU32(middle, 4, record.ttlSeconds);
  writeU16(middle, 8, value.length);
  return concatBytes(name, middle, value);
}

function encodeValue({ type, value }: StoredRecord): Uint8Array {
  if (type === DNS_CNAME || type === DNS_PTR) return encodeDecodedName(value);
  const bytes = new Uint8Array(type === DNS_A ? 4 : 16);
  if (type === DNS_A) writeU32(bytes, 0, parseIpv4(value)!);
  else writeIpv6(bytes, 0, parseIpv6(value)!);
  return bytes;
}
