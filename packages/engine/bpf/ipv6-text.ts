/**
 * IPv6 addresses as text (RFC 4291 section 2.2): finding one inside an expression, and turning one into four words.
 * `matchIpv6` accepts what libpcap's scanner accepts: slightly more than `parseIpv6` does (300.0.0.1 tails).
 */

const HEX_DIGIT = /[0-9A-Fa-f]/;
const DOTTED_TAIL = /(?:0[xX][0-9A-Fa-f]+|[0-9]+)(?:\.(?:0[xX][0-9A-Fa-f]+|[0-9]+)){3}/y;

/** Words of 16 bits in a whole address, and before a dotted IPv4 tail. */
const WORDS = 8;
const WORDS_BEFORE_TAIL = 6;

/** Returns the length of the longest IPv6 address that starts at `at`, 0 if there is none. */
export function matchIpv6(text: string, at: number): number {
  let position = at;
  let words = 0;
  let compressed = false;
  let longest = 0;
  if (text.startsWith("::", at)) {
    compressed = true;
    position += 2;
    longest = 2;
  }
  for (;;) {
    const tail = tailLength(text, position);
    const tailFits = compressed ? words < WORDS_BEFORE_TAIL : words === WORDS_BEFORE_TAIL;
    if (tail > 0 && tailFits) longest = Math.max(longest, position + tail - at);
    const digits = hexRun(text, position);
    if (digits === 0) return longest;
    words += 1;
    if (compressed ? words < WORDS : words === WORDS) longest = Math.max(longest, position + digits - at);
    position += digits;
    if (words >= WORDS || text[position] !== ":") return longest;
    if (text[position + 1] === ":") {
      if (compressed) return longest;
      compressed = true;
      position += 2;
      longest = Math.max(longest, position - at);
    } else {
      position += 1;
    }
  }
}

/** Counts the hexadecimal digits at `at`, at most four. */
function hexRun(text: string, at: number): number {
  let count = 0;
  while (count < 4 && at + count < text.length && HEX_DIGIT.test(text[at + count]!)) count += 1;
  return count;
}

function tailLength(text: string, at: number): number {
  DOTTED_TAIL.lastIndex = at;
  return DOTTED_TAIL.test(text) ? DOTTED_TAIL.lastIndex - at : 0;
}

/** Returns the address as four 32-bit words in network order, null if the text is not an address. */
export function parseIpv6(text: string): readonly number[] | null {
  const halves = text.split("::");
  if (halves.length > 2) return null;
  const head = parseGroups(halves[0]!, halves.length === 1);
  const tail = halves.length === 2 ? parseGroups(halves[1]!, true) : [];
  if (head === null || tail === null) return null;
  const missing = WORDS - head.length - tail.length;
  if (halves.length === 2 ? missing < 1 : missing !== 0) return null;
  const groups = [...head, ...new Array<number>(missing).fill(0), ...tail];
  return [0, 2, 4, 6].map((i) => ((groups[i]! << 16) | groups[i + 1]!) >>> 0);
}

function parseGroups(text: string, mayEndDotted: boolean): number[] | null {
  if (text === "") return [];
  const groups: number[] = [];
  const parts = text.split(":");
  for (const [index, part] of parts.entries()) {
    if (mayEndDotted && index === parts.length - 1 && part.includes(".")) {
      const dotted = parseDottedQuad(part);
      if (dotted === null) return null;
      groups.push(dotted >>> 16, dotted & 0xffff);
    } else if (/^[0-9A-Fa-f]{1,4}$/.test(part)) {
      groups.push(Number.parseInt(part, 16));
    } else {
      return null;
    }
  }
  return groups;
}

/** Strict, like inet_pton(3): four decimal parts up to 255, no leading zeros. */
function parseDottedQuad(text: string): number | null {
  const parts = text.split(".");
  if (parts.length !== 4) return null;
  let address = 0;
  for (const part of parts) {
    if (!/^(?:0|[1-9][0-9]{0,2})$/.test(part) || Number(part) > 255) return null;
    address = ((address << 8) | Number(part)) >>> 0;
  }
  return address;
}
