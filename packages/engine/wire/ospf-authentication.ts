/**
 * Authentication of OSPF packets (RFC 2328, appendix D; RFC 5709): in the 8 bytes of the header, and behind the packet.
 *
 *     type 1   the password (8)
 *     type 2   zero (2)   key (1)   digest bytes (1)   sequence number (4)   ...   digest behind the packet
 */
import { hmac } from "@noble/hashes/hmac.js";
import { md5, sha1 } from "@noble/hashes/legacy.js";
import { sha256, sha384, sha512 } from "@noble/hashes/sha2.js";
import { concatBytes, equalBytes, readU32, writeU16, writeU32 } from "../base/bytes.ts";
import { AUTHENTICATION, ospfChecksum, readOspfHeader } from "./ospf.ts";

const TYPE_AT = 14;
const CHECKSUM_AT = 12;
const FIELD_AT = 16;
const PASSWORD_BYTES = 8;
/** An MD5 key has this length: shorter keys are filled with zeros. */
const MD5_KEY_BYTES = 16;
/** RFC 5709, section 3.3: takes the place of the digest in what is hashed. */
const APAD = 0x878f_e1f3;

const HASHES = {
  md5,
  "hmac-sha-1": sha1,
  "hmac-sha-256": sha256,
  "hmac-sha-384": sha384,
  "hmac-sha-512": sha512,
} as const;

export type OspfDigest = keyof typeof HASHES;
export const OSPF_DIGESTS = Object.keys(HASHES) as readonly OspfDigest[];

export interface OspfKey {
  readonly id: number;
  readonly key: Uint8Array;
  readonly digest: OspfDigest;
}

/** How the routers on a link prove their packets. The first key signs; each verifies. */
export type OspfAuthentication =
  | { readonly type: "none" }
  | { readonly type: "password"; readonly password: Uint8Array }
  | { readonly type: "digest"; readonly keys: readonly OspfKey[] };

/** Signs a packet that `encodeOspf` made. @param sequence not less than in the packet before. */
export function signOspf(
  packet: Uint8Array,
  authentication: OspfAuthentication,
  sequence: number,
): Uint8Array {
  if (authentication.type === "none") return packet;
  const signed = packet.slice();
  if (authentication.type === "password") {
    writeU16(signed, TYPE_AT, AUTHENTICATION.password);
    signed.set(authentication.password.subarray(0, PASSWORD_BYTES), FIELD_AT);
    writeU16(signed, CHECKSUM_AT, 0);
    writeU16(signed, CHECKSUM_AT, ospfChecksum(signed, signed.length));
    return signed;
  }
  const [key] = authentication.keys;
  if (key === undefined) return packet;
  writeU16(signed, TYPE_AT, AUTHENTICATION.digest);
  writeU16(signed, CHECKSUM_AT, 0);
  signed.set([0, 0, key.id, HASHES[key.digest].outputLen], FIELD_AT);
  writeU32(signed, FIELD_AT + 4, sequence);
  return concatBytes(signed, digestOf(key, signed));
}

/** Why a packet is refused; `sequence` of a packet with a digest, which must not decrease (appendix D.4.3). */
export type OspfVerdict =
  | { readonly isAuthentic: false; readonly reason: string }
  | { readonly isAuthentic: true; readonly sequence: number | undefined };

/** Checks a packet whose header `readOspfHeader` takes. */
export function verifyOspf(packet: Uint8Array, authentication: OspfAuthentication): OspfVerdict {
  const header = readOspfHeader(packet);
  if (header === null) return refused("malformed");
  const { length, authenticationType } = header;
  if (authenticationType !== AUTHENTICATION[authentication.type]) return refused("authentication type");
  if (authentication.type !== "digest") {
    if (ospfChecksum(packet, length) !== 0) return refused("checksum");
    if (authentication.type === "none") return { isAuthentic: true, sequence: undefined };
    const own = filled(authentication.password, PASSWORD_BYTES);
    const theirs = packet.subarray(FIELD_AT, FIELD_AT + PASSWORD_BYTES);
    return equalBytes(own, theirs) ? { isAuthentic: true, sequence: undefined } : refused("password");
  }
  const key = authentication.keys.find(({ id }) => id === packet[FIELD_AT + 2]);
  if (key === undefined) return refused("key id");
  const size = HASHES[key.digest].outputLen;
  if (packet[FIELD_AT + 3] !== size || packet.length < length + size) return refused("digest length");
  const own = digestOf(key, packet.subarray(0, length));
  return equalBytes(own, packet.subarray(length, length + size))
    ? { isAuthentic: true, sequence: readU32(packet, FIELD_AT + 4) }
    : refused("digest");
}

const refused = (reason: string): OspfVerdict => ({ isAuthentic: false, reason });

function digestOf({ key, digest }: OspfKey, signed: Uint8Array): Uint8Array {
  // Appendix D.4.3: the key stands in the place of the digest.
  if (digest === "md5") return md5(concatBytes(signed, filled(key, MD5_KEY_BYTES)));
  const hash = HASHES[digest];
  const apad = new Uint8Array(hash.outputLen);
  for (let at = 0; at < apad.length; at += 4) writeU32(apad, at, APAD);
  // RFC 5709, section 3.3, shortens keys to the length of the digest, HMAC alone to that of a block.
  return hmac(hash, key.length > hash.outputLen ? hash(key) : key, concatBytes(signed, apad));
}

function filled(key: Uint8Array, bytes: number): Uint8Array {
  const whole = new Uint8Array(bytes);
  whole.set(key.subarray(0, bytes));
  return whole;
}
