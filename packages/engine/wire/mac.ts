/** MAC addresses as integers below 2^48: exact in a number, and fast as keys of a Map. */
import { readU16, readU32, writeU16, writeU32 } from "../base/bytes.ts";

const TWO_32 = 0x1_0000_0000;
const GROUP_BIT = 0x0100_0000_0000;

export const MAC_BYTES = 6;
export const BROADCAST_MAC = 0xffff_ffff_ffff;

export const readMac = (bytes: Uint8Array, offset: number): number =>
  readU16(bytes, offset) * TWO_32 + readU32(bytes, offset + 2);

export function writeMac(bytes: Uint8Array, offset: number, mac: number): void {
  writeU16(bytes, offset, (mac / TWO_32) | 0);
  writeU32(bytes, offset + 2, mac | 0);
}

/** Returns whether the address is a group (multicast or broadcast): the lowest bit of the first byte (IEEE 802). */
export const isGroupMac = (mac: number): boolean => ((mac / GROUP_BIT) & 1) === 1;

/** `00:50:79:66:68:00` */
export const formatMac = (mac: number): string =>
  mac
    .toString(16)
    .padStart(12, "0")
    .replaceAll(/..(?=.)/g, "$&:");

/** Parses six pairs of hexadecimal digits joined by `:` or `-`; returns null for anything else. */
export function parseMac(text: string): number | null {
  if (!/^[0-9a-f]{2}([:-][0-9a-f]{2}){5}$/i.test(text)) return null;
  return Number.parseInt(text.replaceAll(/[:-]/g, ""), 16);
}

/** The multicast MAC of an IPv4 group: its last 23 bits (RFC 1112, section 6.4). */
export const ipv4MulticastMac = (group: number): number => 0x0100_5e00_0000 + (group & 0x7f_ffff);

/** The multicast MAC of an IPv6 multicast group (RFC 2464, section 7). */
export const ipv6MulticastMac = (group: bigint): number => 0x3333 * TWO_32 + Number(group & 0xffff_ffffn);

export const isIpv6MulticastMac = (mac: number): boolean => Math.floor(mac / TWO_32) === 0x3333;
