/** `ip prefix-list` and `ipv6 prefix-list`: the first rule decides whose prefix contains the route's, and whose lengths its length is in. */
import {
  contains4,
  contains6,
  formatAnyPrefix,
  isPrefix4,
  network4,
  network6,
  type Prefix4,
  type Prefix6,
  parsePrefix4,
  parsePrefix6,
} from "../../net/address/prefix.ts";

export interface PrefixMatch {
  readonly prefix: Prefix4 | Prefix6;
  readonly ge: number | undefined;
  readonly le: number | undefined;
}

export type Family = 4 | 6;

const BITS = { 4: 32, 6: 128 } as const;

/** @param words `any`, or a prefix with `ge N` and `le N`. @returns what is wrong as text. */
export function parsePrefixMatch(
  family: Family,
  [word = "", ...options]: readonly string[],
): PrefixMatch | string {
  const bits = BITS[family];
  const isAny = word === "any";
  const prefix =
    family === 4 ? parsePrefix4(isAny ? "0.0.0.0/0" : word) : parsePrefix6(isAny ? "::/0" : word);
  if (prefix === null) return `${word || "the end"} is not any or an IPv${family} prefix`;
  if (isAny)
    return options.length > 0
      ? `${options[0]} is not expected after any`
      : { prefix, ge: undefined, le: bits };
  const { ge, le, wrong } = lengths(options, bits);
  if (wrong !== undefined) return wrong;
  const { prefixLength } = prefix;
  if (!(prefixLength <= (ge ?? prefixLength) && (ge ?? prefixLength) <= (le ?? bits)))
    return `the length of ${word}, ge and le must not fall: ${prefixLength} <= ge <= le`;
  return { prefix: withoutHostBits(prefix), ge, le };
}

interface Lengths {
  readonly ge?: number;
  readonly le?: number;
  readonly wrong?: string;
}

function lengths(options: readonly string[], bits: number): Lengths {
  const found: { ge?: number; le?: number } = {};
  for (let at = 0; at < options.length; at += 2) {
    const [key, text = ""] = options.slice(at, at + 2);
    const length = /^\d{1,3}$/.test(text) ? Number(text) : Number.NaN;
    if (key !== "ge" && key !== "le") return { wrong: `${key} is not ge or le` };
    if (found[key] !== undefined) return { wrong: `${key} is there twice` };
    if (!(length <= bits)) return { wrong: `${key} must be a length up to ${bits}` };
    found[key] = length;
  }
  return found;
}

/** FRR clears the bits after the prefix. */
const withoutHostBits = (prefix: Prefix4 | Prefix6): Prefix4 | Prefix6 =>
  isPrefix4(prefix)
    ? { ...prefix, address: network4(prefix.address, prefix.prefixLength) }
    : { ...prefix, address: network6(prefix.address, prefix.prefixLength) };

export function formatPrefixMatch({ prefix, ge, le }: PrefixMatch): string {
  if (prefix.prefixLength === 0 && ge === undefined && le === BITS[isPrefix4(prefix) ? 4 : 6]) return "any";
  const words = [...(ge === undefined ? [] : [`ge ${ge}`]), ...(le === undefined ? [] : [`le ${le}`])];
  return [formatAnyPrefix(prefix), ...words].join(" ");
}

/** Without `ge` and `le`, the lengths must be equal. */
export function matchesPrefix({ prefix, ge, le }: PrefixMatch, route: Prefix4 | Prefix6): boolean {
  const isExact = ge === undefined && le === undefined;
  const { prefixLength } = route;
  const isLength = isExact
    ? prefixLength === prefix.prefixLength
    : prefixLength >= (ge ?? prefix.prefixLength) && prefixLength <= (le ?? prefixLength);
  if (!isLength) return false;
  if (isPrefix4(prefix)) return isPrefix4(route) && contains4(prefix, route.address);
  return !isPrefix4(route) && contains6(prefix, route.address);
}
