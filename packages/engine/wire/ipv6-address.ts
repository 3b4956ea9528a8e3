/** IPv6 addresses as 128-bit integers, and their text (RFC 4291 section 2.2, RFC 5952). */
import { readU32, writeU32 } from "../base/bytes.ts";
import { formatIpv4, parseIpv4 } from "./ipv4-address.ts";

const GROUPS = 8;

export function readIpv6(bytes: Uint8Array, offset: number): bigint {
  let address = 0n;
  for (let word = 0; word < 4; word++) address = (address << 32n) | BigInt(readU32(bytes, offset + 4 * word));
  return address;
}

export function writeIpv6(bytes: Uint8Array, offset: number, address: bigint): void {
  for (let word = 0; word < 4; word++) {
    writeU32(bytes, offset + 4 * word, Number((address >> BigInt(96 - 32 * word)) & 0xffff_ffffn));
  }
}

/** Parses any form of RFC 4291, without a zone; returns null for anything else. */
export function parseIpv6(text: string): bigint | null {
  const dotted = /^(.*:)(\d+\.\d+\.\d+\.\d+)$/.exec(text);
  const tail = dotted ? parseIpv4(dotted[2]!) : undefined;
  if (tail === null) return null;
  const spelled =
    tail === undefined ? text : `${dotted![1]}${(tail >>> 16).toString(16)}:${(tail & 0xffff).toString(16)}`;
  const halves = spelled.split("::");
  if (halves.length > 2) return null;
  const [head, rest] = halves.map((half) => (half === "" ? [] : half.split(":")));
  const missing = GROUPS - head!.length - (rest?.length ?? 0);
  if (rest === undefined ? missing !== 0 : missing < 1) return null;
  const groups = [...head!, ...new Array<string>(missing).fill("0"), ...(rest ?? [])];
  if (!groups.every((group) => /^[0-9a-f]{1,4}$/i.test(group))) return null;
  return groups.reduce((address, group) => (address << 16n) | BigInt(Number.parseInt(group, 16)), 0n);
}

/** Formats as in RFC 5952: lower case, the longest run of two or more zero groups as `::`, mapped IPv4 dotted. */
export function formatIpv6(address: bigint): string {
  if (address >> 32n === 0xffffn) return `::ffff:${formatIpv4(Number(address & 0xffff_ffffn))}`;
  const groups = Array.from({ length: GROUPS }, (_, i) =>
    Number((address >> BigInt(112 - 16 * i)) & 0xffffn),
  );
  const { start, length } = longestZeroRun(groups);
  const hex = groups.map((group) => group.toString(16));
  if (length < 2) return hex.join(":");
  return `${hex.slice(0, start).join(":")}::${hex.slice(start + length).join(":")}`;
}

function longestZeroRun(groups: readonly number[]): { start: number; length: number } {
  let best = { start: 0, length: 0 };
  for (let start = 0; start < groups.length; start++) {
    let end = start;
    while (groups[end] === 0) end += 1;
    if (end - start > best.length) best = { start, length: end - start };
  }
  return best;
}

export const samePrefix = (a: bigint, b: bigint, prefixLength: number): boolean =>
  (a ^ b) >> BigInt(128 - prefixLength) === 0n;

/** ff00::/8 */
export const isMulticastIpv6 = (address: bigint): boolean => address >> 120n === 0xffn;
/** fe80::/10 */
export const isLinkLocal = (address: bigint): boolean => address >> 118n === 0x3fan;

export const ALL_NODES = (0xff02n << 112n) | 1n;
export const ALL_ROUTERS = (0xff02n << 112n) | 2n;

/** ff02::1:ffXX:XXXX (RFC 4291, 2.7.1). */
export const solicitedNode = (address: bigint): bigint =>
  (0xff02n << 112n) | 0x1_ff00_0000n | (address & 0xff_ffffn);

/** Returns the interface identifier of a MAC address: ff:fe in its middle, the universal bit flipped (RFC 4291, appendix A). */
export function eui64Of(mac: number): bigint {
  const bits = BigInt(mac);
  return (((bits >> 24n) << 40n) | (0xfffen << 24n) | (bits & 0xff_ffffn)) ^ (1n << 57n);
}

/** fe80::/64 with the MAC's identifier. */
export const linkLocalOf = (mac: number): bigint => (0xfe80n << 112n) | eui64Of(mac);
