/**
 * Prefixes in updates of BGP-4 (RFC 4271, section 4.3; RFC 7911).
 *
 *     path id (4, if the session has ADD-PATH)   length in bits (1)   the bytes of the prefix that the length needs
 */
import { readU32, writeU32 } from "../base/bytes.ts";
import type { BgpFamily, Nlri } from "./bgp.ts";
import { maskOf } from "./ipv4-address.ts";
import { readIpv6, writeIpv6 } from "./ipv6-address.ts";

export const FAMILY_BITS: Readonly<Record<BgpFamily, number>> = { ipv4: 32, ipv6: 128 };
export const PATH_ID_BYTES = 4;

/** The bytes of a prefix of so many bits. */
export const prefixBytes = (length: number): number => (length + 7) >>> 3;

/** Returns null unless the bytes from `at` to `end` are whole prefixes of the family. */
export function readNlri(
  bytes: Uint8Array,
  start: number,
  end: number,
  family: BgpFamily,
  hasPathId: boolean,
): Nlri[] | null {
  const prefixes: Nlri[] = [];
  const before = hasPathId ? PATH_ID_BYTES : 0;
  for (let at = start; at < end; ) {
    const lengthAt = at + before;
    if (lengthAt >= end) return null;
    const length = bytes[lengthAt]!;
    const next = lengthAt + 1 + prefixBytes(length);
    if (length > FAMILY_BITS[family] || next > end) return null;
    const prefix = prefixAt(bytes, lengthAt + 1, length, family);
    prefixes.push(hasPathId ? { ...prefix, pathId: readU32(bytes, at) } : prefix);
    at = next;
  }
  return prefixes;
}

/** Reads a prefix whose bytes are present. Bits behind its length are ignored (RFC 4271, section 4.3). */
export function prefixAt(bytes: Uint8Array, at: number, length: number, family: BgpFamily): Nlri {
  if (family === "ipv4") return { family, address: ipv4At(bytes, at, length), length };
  const room = new Uint8Array(16);
  room.set(bytes.subarray(at, at + prefixBytes(length)));
  const shift = BigInt(128 - length);
  return { family, address: (readIpv6(room, 0) >> shift) << shift, length };
}

function ipv4At(bytes: Uint8Array, at: number, length: number): number {
  let address = 0;
  for (let index = 0; index < prefixBytes(length); index++) address |= bytes[at + index]! << (24 - 8 * index);
  return (address & maskOf(length)) >>> 0;
}

export const nlriBytes = ({ length, pathId }: Nlri): number =>
  (pathId === undefined ? 0 : PATH_ID_BYTES) + 1 + prefixBytes(length);

const room = new Uint8Array(16);

/** Returns where the prefix ends. */
export function writeNlri(bytes: Uint8Array, start: number, prefix: Nlri): number {
  let at = start;
  if (prefix.pathId !== undefined) {
    writeU32(bytes, at, prefix.pathId);
    at += PATH_ID_BYTES;
  }
  bytes[at] = prefix.length;
  if (prefix.family === "ipv4") writeU32(room, 0, prefix.address);
  else writeIpv6(room, 0, prefix.address);
  const count = prefixBytes(prefix.length);
  bytes.set(room.subarray(0, count), at + 1);
  return at + 1 + count;
}

export function encodeNlri(prefixes: readonly Nlri[]): Uint8Array {
  const bytes = new Uint8Array(prefixes.reduce((sum, prefix) => sum + nlriBytes(prefix), 0));
  let at = 0;
  for (const prefix of prefixes) at = writeNlri(bytes, at, prefix);
  return bytes;
}
