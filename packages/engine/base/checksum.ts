/** The Internet checksum (RFC 1071). */
/** Adds 16-bit words and pads the last one with zero; exact for any frame, because the sum stays far below 2^53. */
export function sumWords(bytes: Uint8Array, start = 0, end = bytes.length, initial = 0): number {
  let sum = initial;
  let at = start;
  for (; at + 1 < end; at += 2) sum += ((bytes[at] as number) << 8) | (bytes[at + 1] as number);
  return at < end ? sum + ((bytes[at] as number) << 8) : sum;
}

/** Folds a sum of words and complements it; returns 0 for a sum that includes a valid checksum. */
export function foldChecksum(sum: number): number {
  let folded = sum;
  while (folded > 0xffff) folded = (folded & 0xffff) + Math.floor(folded / 0x1_0000);
  return ~folded & 0xffff;
}

export const checksum = (bytes: Uint8Array, start = 0, end = bytes.length, initial = 0): number =>
  foldChecksum(sumWords(bytes, start, end, initial));

/** Returns the sum of IPv4's pseudo header (RFC 768, RFC 9293 section 3.1). */
export const pseudoHeaderSum4 = (source: number, target: number, protocol: number, length: number): number =>
  (source >>> 16) + (source & 0xffff) + (target >>> 16) + (target & 0xffff) + protocol + length;

/** Returns the sum of IPv6's pseudo header (RFC 8200 section 8.1), for a packet whose fixed header begins at `offset`. */
export const pseudoHeaderSum6 = (
  packet: Uint8Array,
  offset: number,
  protocol: number,
  length: number,
): number => sumWords(packet, offset + 8, offset + 40) + protocol + length;

/** Returns the checksum after one covered word has changed (RFC 1624, equation 3). */
export function updateChecksum(old: number, from: number, to: number): number {
  return foldChecksum((~old & 0xffff) + (~from & 0xffff) + to);
}
