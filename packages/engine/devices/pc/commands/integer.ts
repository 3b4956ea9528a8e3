/** Numbers as C's atoi reads them. */

const MAX = 0x7fff_ffff;

/** The integer that a text begins with, at most 2^31 - 1 either way; 0 when it begins with none. */
export function toInteger(text: string): number {
  const [digits] = /^[-+]?\d+/.exec(text) ?? ["0"];
  return Math.min(MAX, Math.max(-MAX, Number(digits)));
}

/** A number of nothing but digits; undefined for anything else. */
export const toNatural = (text: string): number | undefined =>
  /^\d{1,9}$/.test(text) ? Number(text) : undefined;
