/**
 * Link state advertisements of OSPF version 2 (RFC 2328, appendix A.4; RFC 3101; RFC 5250).
 *
 *     0     2         3      4                8                    12         16         18
 *     age   options   type   link state id    advertising router   sequence   checksum   length   body
 *
 * An LSA in memory has no age: the age belongs to a copy, which a database keeps or a packet carries. So all routers can hold one object.
 */
import { readU16, readU32, writeU16, writeU32 } from "../base/bytes.ts";

export const LSA_HEADER_BYTES = 20;

export const LSA = {
  router: 1,
  network: 2,
  summaryNetwork: 3,
  summaryRouter: 4,
  external: 5,
  nssa: 7,
  opaqueLink: 9,
  opaqueArea: 10,
  opaqueSystem: 11,
} as const;

/** Appendix B; sequence numbers are signed. */
export const MAX_AGE_S = 3_600;
export const INITIAL_SEQUENCE = 0x8000_0001 | 0;
export const MAX_SEQUENCE = 0x7fff_ffff;
/** A metric of 24 bits that stands for an unreachable destination. */
export const LS_INFINITY = 0xff_ffff;

/** What names an LSA (section 12.1). */
export interface LsaName {
  readonly type: number;
  readonly id: number;
  readonly advertiser: number;
}

export interface LsaHeader extends LsaName {
  /** `keyOfLsa` of its name. */
  readonly key: string;
  readonly options: number;
  readonly sequence: number;
  readonly checksum: number;
  /** Header and body, in bytes. */
  readonly length: number;
}

export interface Lsa extends LsaHeader {
  /** The whole LSA with age 0. Shared: callers must not modify it. */
  readonly bytes: Uint8Array;
  readonly body: LsaBody;
}

/** A copy of an LSA. @template T the LSA or its header. */
export interface Aged<T> {
  readonly lsa: T;
  /** Seconds. */
  readonly age: number;
}

export const ROUTER_FLAG = { border: 1, boundary: 2, virtualEnd: 4, translates: 16 } as const;
export const LINK = { pointToPoint: 1, transit: 2, stub: 3, virtual: 4 } as const;

export interface RouterLink {
  readonly type: number;
  readonly id: number;
  readonly data: number;
  readonly metric: number;
}

export type LsaBody =
  | { readonly kind: "router"; readonly flags: number; readonly links: readonly RouterLink[] }
  | { readonly kind: "network"; readonly mask: number; readonly routers: readonly number[] }
  | { readonly kind: "summary"; readonly mask: number; readonly metric: number }
  | ({ readonly kind: "external" } & ExternalBody)
  | { readonly kind: "opaque" };

export interface ExternalBody {
  readonly mask: number;
  readonly isType2: boolean;
  readonly metric: number;
  /** 0: the advertising router. */
  readonly forwarding: number;
  readonly tag: number;
}

export const keyOfLsa = ({ type, id, advertiser }: LsaName): string => `${type} ${id} ${advertiser}`;

/** Returns the header at an offset, which has its 20 bytes. */
export function readLsaHeader(bytes: Uint8Array, at: number): Aged<LsaHeader> {
  const name = {
    type: bytes[at + 3]!,
    id: readU32(bytes, at + 4),
    advertiser: readU32(bytes, at + 8),
  };
  const lsa = {
    ...name,
    key: keyOfLsa(name),
    options: bytes[at + 2]!,
    sequence: readU32(bytes, at + 12) | 0,
    checksum: readU16(bytes, at + 16),
    length: readU16(bytes, at + 18),
  };
  return { lsa, age: readU16(bytes, at) };
}

/** Returns null if the bytes from `at` to `end` do not begin with a whole LSA whose body fits its type. Does not check the checksum. */
export function readLsa(bytes: Uint8Array, at: number, end: number): Aged<Lsa> | null {
  if (at + LSA_HEADER_BYTES > end) return null;
  const { lsa, age } = readLsaHeader(bytes, at);
  if (lsa.length < LSA_HEADER_BYTES || at + lsa.length > end) return null;
  const own = bytes.slice(at, at + lsa.length);
  writeU16(own, 0, 0);
  const body = readBody(lsa.type, own);
  return body && { lsa: { ...lsa, bytes: own, body }, age };
}

function readBody(type: number, bytes: Uint8Array): LsaBody | null {
  switch (type) {
    case LSA.router:
      return readRouter(bytes);
    case LSA.network:
      return readNetwork(bytes);
    case LSA.summaryNetwork:
    case LSA.summaryRouter:
      if (bytes.length < LSA_HEADER_BYTES + 8) return null;
      return { kind: "summary", mask: readU32(bytes, 20), metric: readU32(bytes, 24) & LS_INFINITY };
    case LSA.external:
    case LSA.nssa:
      return readExternal(bytes);
    default:
      return { kind: "opaque" };
  }
}

/** Section A.4.2. Metrics by type of service are skipped. */
function readRouter(bytes: Uint8Array): LsaBody | null {
  if (bytes.length < LSA_HEADER_BYTES + 4) return null;
  const links: RouterLink[] = [];
  let at = LSA_HEADER_BYTES + 4;
  for (let left = readU16(bytes, 22); left > 0; left--) {
    if (at + 12 > bytes.length) return null;
    links.push({
      id: readU32(bytes, at),
      data: readU32(bytes, at + 4),
      type: bytes[at + 8]!,
      metric: readU16(bytes, at + 10),
    });
    at += 12 + 4 * bytes[at + 9]!;
  }
  return at > bytes.length ? null : { kind: "router", flags: bytes[20]!, links };
}

function readNetwork(bytes: Uint8Array): LsaBody | null {
  const count = (bytes.length - LSA_HEADER_BYTES - 4) / 4;
  if (count < 1 || !Number.isInteger(count)) return null;
  const routers = Array.from({ length: count }, (_, index) => readU32(bytes, 24 + 4 * index));
  return { kind: "network", mask: readU32(bytes, 20), routers };
}

function readExternal(bytes: Uint8Array): LsaBody | null {
  if (bytes.length < LSA_HEADER_BYTES + 16) return null;
  const metric = readU32(bytes, 24);
  return {
    kind: "external",
    mask: readU32(bytes, 20),
    isType2: metric >>> 31 === 1,
    metric: metric & LS_INFINITY,
    forwarding: readU32(bytes, 28),
    tag: readU32(bytes, 32),
  };
}

/** The header of an LSA that a router originates. */
export interface LsaFields extends LsaName {
  readonly options: number;
  readonly sequence: number;
}

/** Encodes an LSA with its checksum. */
export function makeLsa(fields: LsaFields, body: LsaBody, opaque = new Uint8Array(0)): Lsa {
  const content = encodeBody(body, opaque);
  const bytes = new Uint8Array(LSA_HEADER_BYTES + content.length);
  bytes[2] = fields.options;
  bytes[3] = fields.type;
  writeU32(bytes, 4, fields.id);
  writeU32(bytes, 8, fields.advertiser);
  writeU32(bytes, 12, fields.sequence);
  writeU16(bytes, 18, bytes.length);
  bytes.set(content, LSA_HEADER_BYTES);
  const checksum = fletcher(bytes, 0, bytes.length);
  writeU16(bytes, CHECKSUM_AT, checksum);
  return { ...fields, key: keyOfLsa(fields), checksum, length: bytes.length, bytes, body };
}

function encodeBody(body: LsaBody, opaque: Uint8Array): Uint8Array {
  switch (body.kind) {
    case "router":
      return encodeRouter(body.flags, body.links);
    case "network": {
      const bytes = new Uint8Array(4 + 4 * body.routers.length);
      writeU32(bytes, 0, body.mask);
      for (const [index, router] of body.routers.entries()) writeU32(bytes, 4 + 4 * index, router);
      return bytes;
    }
    case "summary": {
      const bytes = new Uint8Array(8);
      writeU32(bytes, 0, body.mask);
      writeU32(bytes, 4, body.metric);
      return bytes;
    }
    case "external": {
      const bytes = new Uint8Array(16);
      writeU32(bytes, 0, body.mask);
      writeU32(bytes, 4, (body.isType2 ? 0x8000_0000 : 0) | body.metric);
      writeU32(bytes, 8, body.forwarding);
      writeU32(bytes, 12, body.tag);
      return bytes;
    }
    case "opaque":
      return opaque;
  }
}

function encodeRouter(flags: number, links: readonly RouterLink[]): Uint8Array {
  const bytes = new Uint8Array(4 + 12 * links.length);
  bytes[0] = flags;
  writeU16(bytes, 2, links.length);
  for (const [index, { id, data, type, metric }] of links.entries()) {
    const at = 4 + 12 * index;
    writeU32(bytes, at, id);
    writeU32(bytes, at + 4, data);
    bytes[at + 8] = type;
    writeU16(bytes, at + 10, metric);
  }
  return bytes;
}

const CHECKSUM_AT = 16;
/** The checksum covers an LSA without its age. */
const COVERED_FROM = 2;

/** Returns the checksum (RFC 905, annex B) of an LSA whose checksum field is 0. */
export function fletcher(bytes: Uint8Array, at: number, length: number): number {
  const [c0, c1] = sumsOf(bytes, at, length);
  const behind = length - CHECKSUM_AT - 1;
  let x = (behind * c0 - c1) % 255;
  if (x <= 0) x += 255;
  let y = 510 - c0 - x;
  if (y > 255) y -= 255;
  return (x << 8) | y;
}

/** Whether the LSA at an offset has a right checksum (section 13, step 1). */
export function isLsaIntact(bytes: Uint8Array, at: number, length: number): boolean {
  const [c0, c1] = sumsOf(bytes, at, length);
  return c0 === 0 && c1 === 0 && readU16(bytes, at + CHECKSUM_AT) !== 0;
}

/** The sums stay far below 2^53 for the 65,535 bytes that an LSA has at most. */
function sumsOf(bytes: Uint8Array, at: number, length: number): [number, number] {
  let c0 = 0;
  let c1 = 0;
  for (let index = at + COVERED_FROM; index < at + length; index++) {
    c0 += bytes[index] as number;
    c1 += c0;
  }
  return [c0 % 255, c1 % 255];
}

/** Positive if `a` is a newer instance of an LSA than `b` (section 13.1), 0 if both are the same instance. */
export function compareInstances(a: Aged<LsaHeader>, b: Aged<LsaHeader>): number {
  if (a.lsa.sequence !== b.lsa.sequence) return a.lsa.sequence - b.lsa.sequence;
  if (a.lsa.checksum !== b.lsa.checksum) return a.lsa.checksum - b.lsa.checksum;
  const [isOldA, isOldB] = [a.age >= MAX_AGE_S, b.age >= MAX_AGE_S];
  if (isOldA !== isOldB) return isOldA ? 1 : -1;
  return Math.abs(a.age - b.age) > MAX_AGE_DIFFERENCE_S ? b.age - a.age : 0;
}

const MAX_AGE_DIFFERENCE_S = 900;
