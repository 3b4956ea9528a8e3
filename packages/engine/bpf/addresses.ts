/** Parses addresses from the text the lexer accepts. Each function returns null for an address libpcap calls malformed. */

/** Two to four decimal parts: `10.1` is the first 16 bits of an address. */
export function parseDotted(text: string): { readonly value: number; readonly bits: number } | null {
  let value = 0;
  let bits = 0;
  for (const part of text.split(".")) {
    // Unlike everywhere else in the language, leading zeros stay decimal here and 0x is not a number.
    if (!/^[0-9]+$/.test(part) || Number(part) > 255) return null;
    value = ((value << 8) | Number(part)) >>> 0;
    bits += 8;
  }
  return { value, bits };
}

/**
 * Parses an IPv4 address as inet_aton(3) reads an escaped word (`host \127.1`): one to four parts in C notation; the last
 * part fills the remaining bytes.
 */
export function parseInternetAddress(text: string): number | null {
  const parts = text.split(".").map(parseCNumber);
  if (parts.length > 4 || parts.some((part) => part === null)) return null;
  const numbers = parts as number[];
  const last = numbers.pop()!;
  if (numbers.some((part) => part > 255) || last >= 2 ** (32 - 8 * numbers.length)) return null;
  return numbers.reduce((sum, part, i) => sum + part * 2 ** (24 - 8 * i), last);
}

function parseCNumber(text: string): number | null {
  if (/^0[xX][0-9a-fA-F]+$/.test(text)) return Number.parseInt(text, 16);
  if (/^0[0-7]*$/.test(text)) return Number.parseInt(text, 8);
  return /^[1-9][0-9]*$/.test(text) ? Number(text) : null;
}

/** Parses a DECnet Phase IV `area.node` (six and ten bits); drops excess bits, as libpcap does. */
export function parseDecnet(text: string): number | null {
  const match = /^([0-9]+)\.([0-9]+)/.exec(text);
  if (match === null) return null;
  const [area, node] = [match[1]!, match[2]!].map((digits) => Number(BigInt(digits) & 0xffffn));
  return ((area! << 10) & 0xfc00) | (node! & 0x3ff);
}

/** Returns the six bytes of a MAC address in any spelling the lexer accepts. */
export function parseMac(text: string): readonly number[] {
  const bytes: number[] = [];
  const pairs = text.matchAll(/[0-9A-Fa-f]{1,2}/g);
  for (const [pair] of pairs) bytes.push(Number.parseInt(pair, 16));
  return bytes;
}

/** The mask of a prefix over `words` words of 32 bits. */
export function prefixMask(length: number, words: number): number[] {
  return Array.from({ length: words }, (_, i) => {
    const bits = Math.min(32, Math.max(0, length - 32 * i));
    return bits === 0 ? 0 : (0xffffffff << (32 - bits)) >>> 0;
  });
}
