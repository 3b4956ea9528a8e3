/** Parses numbers the way C's atoi does. */

const MAX = 0x7fff_ffff;

/** Returns the integer at the beginning of a text, clamped to 2^31 - 1 in absolute value; 0 if there is none. */
export function toInteger(text: string): number {
  const [digits] = /^[-+]?\d+/.exec(text) ?? ["0"];
  return Math.min(MAX, Math.max(-MAX, Number(digits)));
}

/** Parses a text of digits only; returns undefined for any other text. */
export const toNatural = (text: string): number | undefined =>
  /^\d{1,9}$/.test(text) ? Number(text) : undefined;
