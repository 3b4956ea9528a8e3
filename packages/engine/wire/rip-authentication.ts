/**
 * Authentication of RIP messages: an entry before all others, and for digests a trailer behind them.
 *
 *     password (RFC 2453, section 4.1)        ffff  2  the password (16)
 *     digest (RFC 2082; RFC 4822, section 2)  ffff  3  bytes before the trailer (2)  key (1)  digest bytes (1)  sequence (4)  zero (8)
 *                                  trailer:   ffff  1  digest
 */
import { hmac } from "@noble/hashes/hmac.js";
import { md5, sha1 } from "@noble/hashes/legacy.js";
import { sha256, sha384, sha512 } from "@noble/hashes/sha2.js";
import { concatBytes, equalBytes, readU16, readU32, writeU16, writeU32 } from "../base/bytes.ts";
import { RIP_ENTRY_BYTES, RIP_FAMILY_AUTHENTICATION, RIP_HEADER_BYTES } from "./rip.ts";

const TYPE_TRAILER = 1;
const TYPE_PASSWORD = 2;
const TYPE_DIGEST = 3;
const TRAILER_HEADER_BYTES = 4;
/** The length of a password and of an MD5 key: shorter ones are filled with zeros. */
const PASSWORD_BYTES = 16;
/** RFC 4822, section 3: takes the place of the digest in what is hashed. */
const APAD = 0x878f_e1f3;
const SEQUENCE_AT = RIP_HEADER_BYTES + 8;

const SHAS = ["hmac-sha-1", "hmac-sha-256", "hmac-sha-384", "hmac-sha-512"] as const;

export type RipDigest = "md5" | (typeof SHAS)[number];
export const RIP_DIGESTS: readonly RipDigest[] = ["md5", ...SHAS];

const HASHES = {
  md5,
  "hmac-sha-1": sha1,
  "hmac-sha-256": sha256,
  "hmac-sha-384": sha384,
  "hmac-sha-512": sha512,
} satisfies Record<RipDigest, unknown>;

/** @param key of 16 bytes at most. */
export function addPassword(message: Uint8Array, key: Uint8Array): Uint8Array {
  const entry = makeEntry(TYPE_PASSWORD);
  entry.set(key, 4);
  return insert(message, entry);
}

/** @returns the message without its password; undefined if it has another or none. */
export function checkPassword(message: Uint8Array, keys: readonly Uint8Array[]): Uint8Array | undefined {
  const entry = entryOf(message, TYPE_PASSWORD);
  const isKnown = keys.some((key) => entry !== undefined && equalBytes(entry.subarray(4), filled(key)));
  return isKnown ? without(message, message.length) : undefined;
}

export interface DigestKey {
  readonly id: number;
  readonly key: Uint8Array;
}

/** @param sequence not less than in the message before. */
export function addDigest(
  message: Uint8Array,
  digest: RipDigest,
  { id, key }: DigestKey,
  sequence: number,
): Uint8Array {
  const entry = makeEntry(TYPE_DIGEST);
  writeU16(entry, 4, message.length + RIP_ENTRY_BYTES);
  entry[6] = id;
  entry[7] = bytesOf(digest);
  writeU32(entry, 8, sequence);
  const whole = insert(message, entry);
  const trailer = new Uint8Array(TRAILER_HEADER_BYTES);
  writeU16(trailer, 0, RIP_FAMILY_AUTHENTICATION);
  writeU16(trailer, 2, TYPE_TRAILER);
  const signed = concatBytes(whole, trailer);
  return concatBytes(signed, digestOf(digest, key, signed));
}

export interface Authentic {
  /** The message without entry and trailer. */
  readonly message: Uint8Array;
  readonly keyId: number;
  readonly sequence: number;
}

/** @returns undefined if the message has no digest by a key, or another one. */
export function checkDigest(
  message: Uint8Array,
  digest: RipDigest,
  keys: readonly DigestKey[],
): Authentic | undefined {
  const entry = entryOf(message, TYPE_DIGEST);
  if (entry === undefined) return undefined;
  const end = readU16(entry, 4);
  const keyId = entry[6]!;
  const bytes = bytesOf(digest);
  const known = keys.find(({ id }) => id === keyId);
  const signedEnd = end + TRAILER_HEADER_BYTES;
  // FRR, by default, and IOS count the header of the trailer.
  const isSized = entry[7] === bytes || (digest === "md5" && entry[7] === bytes + TRAILER_HEADER_BYTES);
  if (known === undefined || !isSized || end < RIP_HEADER_BYTES + RIP_ENTRY_BYTES) return undefined;
  if (message.length < signedEnd + bytes) return undefined;
  const isTrailer = readU16(message, end) === RIP_FAMILY_AUTHENTICATION;
  if (!isTrailer || readU16(message, end + 2) !== TYPE_TRAILER) return undefined;
  const own = digestOf(digest, known.key, message.subarray(0, signedEnd));
  if (!equalBytes(own, message.subarray(signedEnd, signedEnd + bytes))) return undefined;
  return { message: without(message, end), keyId, sequence: readU32(message, SEQUENCE_AT) };
}

const bytesOf = (digest: RipDigest): number => HASHES[digest].outputLen;

/** @param signed the message to the end of the trailer's header. */
function digestOf(digest: RipDigest, key: Uint8Array, signed: Uint8Array): Uint8Array {
  // RFC 2082, section 3.2.1: the key stands in the place of the digest.
  if (digest === "md5") return md5(concatBytes(signed, filled(key)));
  const hash = HASHES[digest];
  const apad = new Uint8Array(hash.outputLen);
  for (let at = 0; at < apad.length; at += 4) writeU32(apad, at, APAD);
  // Unlike HMAC alone, which hashes keys that are longer than a block.
  const short = key.length > hash.outputLen ? hash(key) : key;
  return hmac(hash, short, concatBytes(signed, apad));
}

function filled(key: Uint8Array): Uint8Array {
  const whole = new Uint8Array(PASSWORD_BYTES);
  whole.set(key.subarray(0, PASSWORD_BYTES));
  return whole;
}

function makeEntry(type: number): Uint8Array {
  const entry = new Uint8Array(RIP_ENTRY_BYTES);
  writeU16(entry, 0, RIP_FAMILY_AUTHENTICATION);
  writeU16(entry, 2, type);
  return entry;
}

function entryOf(message: Uint8Array, type: number): Uint8Array | undefined {
  if (message.length < RIP_HEADER_BYTES + RIP_ENTRY_BYTES) return undefined;
  const entry = message.subarray(RIP_HEADER_BYTES, RIP_HEADER_BYTES + RIP_ENTRY_BYTES);
  return readU16(entry, 0) === RIP_FAMILY_AUTHENTICATION && readU16(entry, 2) === type ? entry : undefined;
}

const insert = (message: Uint8Array, entry: Uint8Array): Uint8Array =>
  concatBytes(message.subarray(0, RIP_HEADER_BYTES), entry, message.subarray(RIP_HEADER_BYTES));

const without = (message: Uint8Array, end: number): Uint8Array =>
  concatBytes(
    message.subarray(0, RIP_HEADER_BYTES),
    message.subarray(RIP_HEADER_BYTES + RIP_ENTRY_BYTES, end),
  );
