/** IPv4 addresses as unsigned 32-bit integers, and their text. */

/** Parses four decimal parts; returns null for anything else. */
export function parseIpv4(text: string): number | null {
  const parts = text.split(".");
  if (parts.length !== 4 || !parts.every((part) => /^\d{1,3}$/.test(part) && Number(part) <= 255))
    return null;
  return parts.reduce((address, part) => address * 256 + Number(part), 0);
}

export const formatIpv4 = (address: number): string =>
  `${address >>> 24}.${(address >>> 16) & 255}.${(address >>> 8) & 255}.${address & 255}`;

/** Returns the mask of a prefix of 0 to 32 bits. */
export const maskOf = (prefixLength: number): number =>
  prefixLength === 0 ? 0 : (0xffff_ffff << (32 - prefixLength)) >>> 0;

/** Returns the prefix length of a mask; null if its ones are not contiguous. */
export function prefixLengthOf(mask: number): number | null {
  const length = Math.clz32(~mask);
  return maskOf(length) === mask ? length : null;
}

export const sameSubnet = (a: number, b: number, mask: number): boolean => ((a ^ b) & mask) === 0;

export const BROADCAST_IPV4 = 0xffff_ffff;

/** 224.0.0.0/4 */
export const isMulticastIpv4 = (address: number): boolean => address >>> 28 === 0xe;

/** Whether an address identifies one host: not "this network", loopback, multicast, reserved or broadcast (RFC 1812, section 5.3.7). */
export function isHostAddress(address: number): boolean {
  const first = address >>> 24;
  return first !== 0 && first !== 127 && first < 224;
}
