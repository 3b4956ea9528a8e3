/**
 * Packets of OSPF version 2 (RFC 2328, appendix A.3): the payload of an IP packet of protocol 89.
 *
 *     0         1      2        4           8      12         14                    16
 *     version   type   length   router id   area   checksum   authentication type   authentication (8)   body
 *
 * `ospf-authentication.ts` signs and checks packets; `ospf-lsa.ts` has the LSAs.
 */
import { concatBytes, readU16, readU32, writeU16, writeU32 } from "../base/bytes.ts";
import { foldChecksum, sumWords } from "../base/checksum.ts";
import {
  type Aged,
  isLsaIntact,
  LSA_HEADER_BYTES,
  type Lsa,
  type LsaHeader,
  type LsaName,
  readLsa,
  readLsaHeader,
} from "./ospf-lsa.ts";

export const PROTOCOL_OSPF = 89;
export const OSPF_VERSION = 2;
export const OSPF_HEADER_BYTES = 24;
/** AllSPFRouters and AllDRouters (appendix A.1). */
export const ALL_SPF_ROUTERS = 0xe000_0005;
export const ALL_D_ROUTERS = 0xe000_0006;

export const OSPF = { hello: 1, description: 2, request: 3, update: 4, acknowledgment: 5 } as const;

/** Bits of the options field (appendix A.2; RFC 3101; RFC 5250). */
export const OPTION = { external: 0x02, nssa: 0x08, opaque: 0x40 } as const;
/** Bits of a database description (appendix A.3.3). */
export const DD_FLAG = { master: 1, more: 2, init: 4 } as const;

export const AUTHENTICATION = { none: 0, password: 1, digest: 2 } as const;

/** What every packet states of its sender. */
export interface OspfSender {
  readonly routerId: number;
  readonly areaId: number;
}

export interface OspfHeader extends OspfSender {
  readonly type: number;
  /** Without a digest behind the packet. */
  readonly length: number;
  readonly authenticationType: number;
}

export interface Hello {
  readonly mask: number;
  readonly helloSeconds: number;
  readonly options: number;
  readonly priority: number;
  readonly deadSeconds: number;
  /** Addresses of the designated router and its backup; 0: none. */
  readonly designated: number;
  readonly backup: number;
  /** Ids of the routers that the sender hears. */
  readonly neighbours: readonly number[];
}

export interface Description {
  readonly mtuBytes: number;
  readonly options: number;
  readonly flags: number;
  readonly sequence: number;
  readonly headers: readonly Aged<LsaHeader>[];
}

const HELLO_BYTES = 20;
const DESCRIPTION_BYTES = 8;
const REQUEST_BYTES = 12;
const UPDATE_BYTES = 4;
const CHECKSUM_AT = 12;
const AUTHENTICATION_AT = 16;

/** Where the body of a packet begins. */
const BODY = OSPF_HEADER_BYTES;

/** Returns null if the bytes are no packet of version 2 with as many bytes as it claims. */
export function readOspfHeader(packet: Uint8Array): OspfHeader | null {
  if (packet.length < OSPF_HEADER_BYTES || packet[0] !== OSPF_VERSION) return null;
  const length = readU16(packet, 2);
  if (length < OSPF_HEADER_BYTES || length > packet.length) return null;
  return {
    type: packet[1]!,
    length,
    routerId: readU32(packet, 4),
    areaId: readU32(packet, 8),
    authenticationType: readU16(packet, 14),
  };
}

/** The checksum of a packet, which leaves its authentication out (appendix D.4); 0 for a packet that has the right one. */
export const ospfChecksum = (packet: Uint8Array, length: number): number =>
  foldChecksum(sumWords(packet, 0, AUTHENTICATION_AT) + sumWords(packet, BODY, length));

/** The bytes of the digest behind a packet. */
export const digestBytes = (packet: Uint8Array): number =>
  readU16(packet, 14) === AUTHENTICATION.digest ? packet[AUTHENTICATION_AT + 3]! : 0;

export function encodeOspf(type: number, { routerId, areaId }: OspfSender, body: Uint8Array): Uint8Array {
  const packet = new Uint8Array(OSPF_HEADER_BYTES + body.length);
  packet[0] = OSPF_VERSION;
  packet[1] = type;
  writeU16(packet, 2, packet.length);
  writeU32(packet, 4, routerId);
  writeU32(packet, 8, areaId);
  packet.set(body, BODY);
  writeU16(packet, CHECKSUM_AT, ospfChecksum(packet, packet.length));
  return packet;
}

/** The readers below take a packet with its header, up to `length`, and return null for a body that is not whole. */
export function readHello(packet: Uint8Array, length: number): Hello | null {
  const rest = length - BODY - HELLO_BYTES;
  if (rest < 0 || rest % 4 !== 0) return null;
  return {
    mask: readU32(packet, BODY),
    helloSeconds: readU16(packet, BODY + 4),
    options: packet[BODY + 6]!,
    priority: packet[BODY + 7]!,
    deadSeconds: readU32(packet, BODY + 8),
    designated: readU32(packet, BODY + 12),
    backup: readU32(packet, BODY + 16),
    neighbours: Array.from({ length: rest / 4 }, (_, index) =>
      readU32(packet, BODY + HELLO_BYTES + 4 * index),
    ),
  };
}

export function encodeHello(hello: Hello): Uint8Array {
  const body = new Uint8Array(HELLO_BYTES + 4 * hello.neighbours.length);
  writeU32(body, 0, hello.mask);
  writeU16(body, 4, hello.helloSeconds);
  body[6] = hello.options;
  body[7] = hello.priority;
  writeU32(body, 8, hello.deadSeconds);
  writeU32(body, 12, hello.designated);
  writeU32(body, 16, hello.backup);
  for (const [index, id] of hello.neighbours.entries()) writeU32(body, HELLO_BYTES + 4 * index, id);
  return body;
}

export function readDescription(packet: Uint8Array, length: number): Description | null {
  const headers = readHeaders(packet, BODY + DESCRIPTION_BYTES, length);
  return (
    headers && {
      mtuBytes: readU16(packet, BODY),
      options: packet[BODY + 2]!,
      flags: packet[BODY + 3]!,
      sequence: readU32(packet, BODY + 4),
      headers,
    }
  );
}

export function encodeDescription(description: Description): Uint8Array {
  const { mtuBytes, options, flags, sequence, headers } = description;
  const body = new Uint8Array(DESCRIPTION_BYTES + headers.length * LSA_HEADER_BYTES);
  writeU16(body, 0, mtuBytes);
  body[2] = options;
  body[3] = flags;
  writeU32(body, 4, sequence);
  writeHeaders(body, DESCRIPTION_BYTES, headers);
  return body;
}

export const readAcknowledgment = (packet: Uint8Array, length: number): Aged<LsaHeader>[] | null =>
  readHeaders(packet, BODY, length);

export function encodeAcknowledgment(headers: readonly Aged<LsaHeader>[]): Uint8Array {
  const body = new Uint8Array(headers.length * LSA_HEADER_BYTES);
  writeHeaders(body, 0, headers);
  return body;
}

export function readRequest(packet: Uint8Array, length: number): LsaName[] | null {
  const count = (length - BODY) / REQUEST_BYTES;
  if (!Number.isInteger(count)) return null;
  return Array.from({ length: count }, (_, index) => {
    const at = BODY + index * REQUEST_BYTES;
    return {
      type: readU32(packet, at),
      id: readU32(packet, at + 4),
      advertiser: readU32(packet, at + 8),
    };
  });
}

export function encodeRequest(names: readonly LsaName[]): Uint8Array {
  const body = new Uint8Array(names.length * REQUEST_BYTES);
  for (const [index, { type, id, advertiser }] of names.entries()) {
    writeU32(body, index * REQUEST_BYTES, type);
    writeU32(body, index * REQUEST_BYTES + 4, id);
    writeU32(body, index * REQUEST_BYTES + 8, advertiser);
  }
  return body;
}

/** Returns the LSAs of an update. Leaves out LSAs with a wrong checksum (section 13, step 1). */
export function readUpdate(packet: Uint8Array, length: number): Aged<Lsa>[] | null {
  if (length < BODY + UPDATE_BYTES) return null;
  const all: Aged<Lsa>[] = [];
  let at = BODY + UPDATE_BYTES;
  for (let left = readU32(packet, BODY); left > 0; left--) {
    const each = readLsa(packet, at, length);
    if (each === null) return null;
    if (isLsaIntact(packet, at, each.lsa.length)) all.push(each);
    at += each.lsa.length;
  }
  return all;
}

export function encodeUpdate(all: readonly Aged<Lsa>[]): Uint8Array {
  const count = new Uint8Array(UPDATE_BYTES);
  writeU32(count, 0, all.length);
  const body = concatBytes(count, ...all.map(({ lsa }) => lsa.bytes));
  let at = UPDATE_BYTES;
  for (const { lsa, age } of all) {
    writeU16(body, at, age);
    at += lsa.length;
  }
  return body;
}

/** What an update takes beside its LSAs. */
export const UPDATE_OVERHEAD = OSPF_HEADER_BYTES + UPDATE_BYTES;
export const DESCRIPTION_OVERHEAD = OSPF_HEADER_BYTES + DESCRIPTION_BYTES;

function readHeaders(packet: Uint8Array, start: number, length: number): Aged<LsaHeader>[] | null {
  const count = (length - start) / LSA_HEADER_BYTES;
  if (count < 0 || !Number.isInteger(count)) return null;
  return Array.from({ length: count }, (_, index) => readLsaHeader(packet, start + index * LSA_HEADER_BYTES));
}

function writeHeaders(body: Uint8Array, start: number, headers: readonly Aged<LsaHeader>[]): void {
  let at = start;
  for (const { lsa, age } of headers) {
    writeU16(body, at, age);
    body[at + 2] = lsa.options;
    body[at + 3] = lsa.type;
    writeU32(body, at + 4, lsa.id);
    writeU32(body, at + 8, lsa.advertiser);
    writeU32(body, at + 12, lsa.sequence);
    writeU16(body, at + 16, lsa.checksum);
    writeU16(body, at + 18, lsa.length);
    at += LSA_HEADER_BYTES;
  }
}
