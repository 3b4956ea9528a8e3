/**
 * Splits text into tokens. As in libpcap, the longest match wins, and of equal matches the more specific kind: `1.2.3.4` is an
 * address but `1.2.3.4.5` a name; `tcp-syn` a number but `tcp-foo` a name; twelve digits are a MAC address.
 */
import { FilterSyntaxError, type Span } from "./errors.ts";
import { matchIpv6, parseIpv6 } from "./ipv6-text.ts";
import { NAMED_CONSTANTS } from "./names/constants.ts";
import { type Token, type TokenKind, WORDS } from "./tokens.ts";

/** This limit is not libpcap's: it bounds the time and memory of a compilation. */
export const MAX_EXPRESSION_LENGTH = 65_536;

const SPACE = /[ \r\n\t]*/y;
const SIGN = />=|<=|!=|==|<<|>>|&&|\|\||[+\-*/%:[\]!<>()&|^=]/y;
const NAME = /[A-Za-z0-9][-_.A-Za-z0-9]*/y;
const ESCAPED = /\\[^ !()\n\t]+/y;
const NUMBER = /0[xX][0-9A-Fa-f]+|[0-9]+/y;
const DOTTED = /(?:0[xX][0-9A-Fa-f]+|[0-9]+)(?:\.(?:0[xX][0-9A-Fa-f]+|[0-9]+)){1,3}/y;
const ARCNET = /\$[0-9A-Fa-f]{1,2}/y;
const MAC_FORMS = [
  /[0-9A-Fa-f]{1,2}(?::[0-9A-Fa-f]{1,2}){5}/y,
  /[0-9A-Fa-f]{1,2}(?:-[0-9A-Fa-f]{1,2}){5}/y,
  /[0-9A-Fa-f]{1,2}(?:\.[0-9A-Fa-f]{1,2}){5}/y,
  /[0-9A-Fa-f]{4}(?:\.[0-9A-Fa-f]{4}){2}/y,
  /[0-9A-Fa-f]{12}/y,
];
/** Text with colons that is neither a MAC nor an IPv6 address; libpcap reports a bogus Ethernet address. */
const BROKEN_MAC = /[0-9A-Fa-f]{1,2}:+(?:[0-9A-Fa-f]{1,2}:+)+/y;

const SIGN_KINDS: ReadonlyMap<string, TokenKind> = new Map([
  ["==", "="],
  ["&&", "and"],
  ["||", "or"],
]);

/** Returns all tokens of `expression`; the last has kind `end`. Throws FilterSyntaxError. */
export function tokenize(expression: string): Token[] {
  if (expression.length > MAX_EXPRESSION_LENGTH) {
    const reason = `the expression is longer than ${MAX_EXPRESSION_LENGTH} characters`;
    throw new FilterSyntaxError(expression, { code: "bpf.too-complex", reason, span: { start: 0, end: 0 } });
  }
  const tokens: Token[] = [];
  let at = matchLength(SPACE, expression, 0);
  while (at < expression.length) {
    const token = tokenAt(expression, at);
    tokens.push(token);
    at = token.end + matchLength(SPACE, expression, token.end);
  }
  tokens.push({ kind: "end", text: "", value: 0, start: at, end: at });
  return tokens;
}

function matchLength(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex - at : 0;
}

function tokenAt(text: string, at: number): Token {
  const plainEnd = endOfPlainRun(text, at);
  if (plainEnd > at) return plainToken(text, at, plainEnd);
  if (VALUE_START[text.charCodeAt(at)] === 1) {
    const value = longestValue(text, at);
    if (value.length > 0) return valueToken(text, at, value);
  }
  const sign = matchLength(SIGN, text, at);
  if (sign > 0) return signToken(text, at, sign);
  const escaped = matchLength(ESCAPED, text, at);
  if (escaped > 0) return makeToken("name", text.slice(at + 1, at + escaped), at, at + escaped);
  const arcnet = matchLength(ARCNET, text, at);
  if (arcnet > 0) return makeToken("arcnet", text.slice(at, at + arcnet), at, at + arcnet);
  const reason = `${JSON.stringify(text[at])} starts no word, number or sign of the filter language`;
  throw new FilterSyntaxError(text, { code: "bpf.bad-character", reason, span: { start: at, end: at + 1 } });
}

const LETTER_OR_DIGIT = characterTable(/[A-Za-z0-9]/);
const DIGIT = characterTable(/[0-9]/);
/** Only an IPv6 address can begin with a colon. */
const VALUE_START = characterTable(/[A-Za-z0-9:]/);
/** Characters that can continue an address or a longer name. */
const VALUE_JOINT = characterTable(/[-_.:]/);

/** Returns a table by character code: 1 for the ASCII characters that match, no entry beyond ASCII. */
function characterTable(pattern: RegExp): Uint8Array {
  return Uint8Array.from({ length: 128 }, (_, code) => Number(pattern.test(String.fromCharCode(code))));
}

/** A run of this many letters and digits may be a MAC address. */
const MAC_DIGITS = 12;

/**
 * Returns the end of a run of letters and digits if no character after it can continue a longer value, otherwise `at`.
 * Most words and numbers are such runs; comparing all value forms takes ten times as long.
 */
function endOfPlainRun(text: string, at: number): number {
  let end = at;
  while (LETTER_OR_DIGIT[text.charCodeAt(end)] === 1) end += 1;
  return end - at === MAC_DIGITS || VALUE_JOINT[text.charCodeAt(end)] === 1 ? at : end;
}

function plainToken(expression: string, start: number, end: number): Token {
  const isNumber =
    DIGIT[expression.charCodeAt(start)] === 1 && matchLength(NUMBER, expression, start) === end - start;
  return valueToken(expression, start, { kind: isNumber ? "number" : "name", length: end - start });
}

type ValueMatch = {
  readonly kind: "mac" | "number" | "ipv4" | "ipv6" | "broken-mac" | "name";
  readonly length: number;
};

/** Returns the longest value form at `at`; earlier rows win ties. The length is 0 if none matches. */
function longestValue(text: string, at: number): ValueMatch {
  const candidates: ValueMatch[] = [
    { kind: "mac", length: macLength(text, at) },
    { kind: "number", length: matchLength(NUMBER, text, at) },
    { kind: "ipv4", length: matchLength(DOTTED, text, at) },
    { kind: "ipv6", length: matchIpv6(text, at) },
    { kind: "broken-mac", length: matchLength(BROKEN_MAC, text, at) },
    { kind: "name", length: nameLength(text, at) },
  ];
  return candidates.reduce((best, next) => (next.length > best.length ? next : best));
}

function macLength(text: string, at: number): number {
  return Math.max(...MAC_FORMS.map((form) => matchLength(form, text, at)));
}

/** A name may contain `-` and `_` but not end with them. */
function nameLength(text: string, at: number): number {
  let length = matchLength(NAME, text, at);
  while (length > 0 && (text[at + length - 1] === "-" || text[at + length - 1] === "_")) length -= 1;
  return length;
}

function makeToken(kind: TokenKind, text: string, start: number, end: number, value = 0): Token {
  return { kind, text, value, start, end };
}

function signToken(text: string, at: number, length: number): Token {
  const sign = text.slice(at, at + length);
  return makeToken(SIGN_KINDS.get(sign) ?? (sign as TokenKind), sign, at, at + length);
}

function valueToken(expression: string, start: number, match: ValueMatch): Token {
  const end = start + match.length;
  const text = expression.slice(start, end);
  switch (match.kind) {
    case "name":
      return wordToken(text, start, end);
    case "number":
      return makeToken("number", text, start, end, parseNumber(expression, text, { start, end }));
    case "ipv6":
      if (parseIpv6(text) === null)
        throw badAddress(expression, `"${text}" is not an IPv6 address`, { start, end });
      return makeToken("ipv6", text, start, end);
    case "broken-mac":
      throw badAddress(expression, `"${text}" is not an Ethernet address`, { start, end });
    default:
      return makeToken(match.kind, text, start, end);
  }
}

function wordToken(text: string, start: number, end: number): Token {
  const word = WORDS.get(text);
  if (word !== undefined) return makeToken(word, text, start, end);
  const constant = NAMED_CONSTANTS.get(text);
  if (constant !== undefined) return makeToken("number", text, start, end, constant);
  return makeToken("name", text, start, end);
}

function badAddress(expression: string, reason: string, span: Span): FilterSyntaxError {
  return new FilterSyntaxError(expression, { code: "bpf.bad-address", reason, span });
}

/** C notation: 0x is hexadecimal, a leading 0 octal. Must fit in 32 bits. */
function parseNumber(expression: string, text: string, span: Span): number {
  const base = baseOf(text);
  if (base === 8 && /[89]/.test(text)) {
    const reason = `"${text}" starts with 0, so it is octal, and has a digit above 7`;
    throw new FilterSyntaxError(expression, { code: "bpf.bad-number", reason, span });
  }
  const value = Number.parseInt(text, base);
  if (value > 0xffffffff) {
    const reason = `"${text}" does not fit in 32 bits`;
    throw new FilterSyntaxError(expression, { code: "bpf.bad-number", reason, span });
  }
  return value;
}

function baseOf(text: string): 8 | 10 | 16 {
  if (!text.startsWith("0")) return 10;
  return text[1] === "x" || text[1] === "X" ? 16 : 8;
}
