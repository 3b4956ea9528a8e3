/** The differentiated services code point (RFC 2474), and the names of its values (RFC 2597, 3246, 5865). */

export const MAX_DSCP = 63;
const NAMED: Readonly<Record<string, number>> = Object.assign(Object.create(null), {
  ef: 46,
  "voice-admit": 44,
});

/** @returns NaN if the text is neither a number nor a name. */
export function parseDscp(text: string): number {
  if (/^\d{1,2}$/.test(text)) return Number(text);
  const selector = /^cs([0-7])$/.exec(text);
  if (selector) return Number(selector[1]) * 8;
  const assured = /^af([1-4])([1-3])$/.exec(text);
  if (assured) return Number(assured[1]) * 8 + Number(assured[2]) * 2;
  return NAMED[text] ?? Number.NaN;
}
