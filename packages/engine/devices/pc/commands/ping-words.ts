/** Parses the options of `ping`: one letter after `-`, its value in the next word. Ignores further letters of a word. */
import { PROTOCOL_ICMP, PROTOCOL_TCP, PROTOCOL_UDP } from "../../../wire/ipv4.ts";
import type { PingOptions, PingProtocol } from "../ping-options.ts";
import { toInteger } from "./integer.ts";

const PROTOCOLS: Readonly<Record<string, PingProtocol>> = {
  [PROTOCOL_ICMP]: "icmp",
  [PROTOCOL_TCP]: "tcp",
  [PROTOCOL_UDP]: "udp",
};
/** In bit order, lowest first (RFC 9293 section 3.1). */
const FLAG_LETTERS = "FSRPAUEC";
const LETTERS_WITH_VALUE = "ciwlTPspfu";

/** An endless count; over IPv6 it selects the default count. */
const ENDLESS = -1;
const DEFAULT_MS = 1_000;
const MTU_MIN_BYTES = 576;
const MTU_MAX_BYTES = 65_535;
/** The largest data behind the IPv4 header and an ICMP, UDP, or TCP header with timestamp. */
const DATA_MAX_BYTES = 65_507;
const TCP_DATA_MAX_BYTES = 65_483;
const MAC_BYTES = 6;

const DEFAULTS: PingOptions = {
  count: 5,
  endless: false,
  intervalMs: DEFAULT_MS,
  waitMs: DEFAULT_MS,
  dataBytes: 56,
  ttl: 64,
  dontFragment: false,
  protocol: "icmp",
  sourcePort: 0,
  targetPort: 7,
  flags: undefined,
  mtuBytes: 0,
};

/** @param words the words after the host. @returns undefined for an unknown option or flag, or an invalid size. */
export function parsePingWords(words: readonly string[]): PingOptions | undefined {
  let options: PingOptions | undefined = DEFAULTS;
  for (let at = 0; options !== undefined && at < words.length; at++) {
    const word = words[at] as string;
    if (!word.startsWith("-")) continue;
    const letter = word[1] ?? "";
    const value = takesValue(letter) ? words[++at] : undefined;
    if (!takesValue(letter)) options = withLetter(options, letter);
    else if (value !== undefined) options = withValue(options, letter, value);
  }
  return options && withinBounds(options);
}

const takesValue = (letter: string): boolean => letter !== "" && LETTERS_WITH_VALUE.includes(letter);

function withLetter(options: PingOptions, letter: string): PingOptions | undefined {
  switch (letter) {
    case "1":
      return { ...options, protocol: "icmp" };
    case "2":
      return { ...options, protocol: "udp" };
    case "3":
      return { ...options, protocol: "tcp" };
    case "D":
      return { ...options, dontFragment: true };
    case "t":
      return { ...options, endless: true };
    // VPCS reads a protocol after it and ignores the value.
    case "a":
      return options;
    default:
      return undefined;
  }
}

function withValue(options: PingOptions, letter: string, value: string): PingOptions | undefined {
  const number = toInteger(value);
  switch (letter) {
    case "c":
      return number === ENDLESS
        ? { ...options, count: DEFAULTS.count, endless: true }
        : { ...options, count: number, endless: false };
    case "i":
      return { ...options, intervalMs: number < 1 ? DEFAULT_MS : number };
    case "w":
      return { ...options, waitMs: number < 1 ? DEFAULT_MS : number };
    case "l":
      return { ...options, dataBytes: number };
    case "T":
      return { ...options, ttl: number & 0xff };
    case "P":
      return { ...options, protocol: PROTOCOLS[number] ?? options.protocol };
    case "s":
      return { ...options, sourcePort: number & 0xffff };
    case "p":
      return { ...options, targetPort: number & 0xffff };
    case "u":
      return { ...options, mtuBytes: isMtu(number) ? number : 1500 };
    default:
      return withFlags(options, value);
  }
}

const isMtu = (bytes: number): boolean => bytes >= MTU_MIN_BYTES && bytes <= MTU_MAX_BYTES;

function withFlags(options: PingOptions, letters: string): PingOptions | undefined {
  const bits = Array.from(letters.toUpperCase(), (letter) => FLAG_LETTERS.indexOf(letter));
  if (bits.includes(-1)) return undefined;
  return { ...options, flags: bits.reduce((flags, bit) => flags | (1 << bit), 0) };
}

/** Returns undefined for a size out of bounds. Enlarges UDP data to hold the MAC by which the PC recognises the reply. */
function withinBounds(options: PingOptions): PingOptions | undefined {
  const { dataBytes, protocol } = options;
  const maxBytes = protocol === "tcp" ? TCP_DATA_MAX_BYTES : DATA_MAX_BYTES;
  if (dataBytes < 0 || dataBytes > maxBytes) return undefined;
  return protocol === "udp" ? { ...options, dataBytes: Math.max(MAC_BYTES, dataBytes) } : options;
}
