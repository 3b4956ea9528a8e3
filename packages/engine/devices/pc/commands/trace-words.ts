/** Parses the options of `trace`: `-P PROTOCOL`, `-m HOPS` or the bare number of hops. */
import { PROTOCOL_ICMP, PROTOCOL_TCP, PROTOCOL_UDP } from "../../../wire/ipv4.ts";
import type { PingProtocol } from "../ping-options.ts";
import { toNatural } from "./integer.ts";

export interface TraceOptions {
  readonly protocol: PingProtocol;
  /** Undefined if not given. */
  readonly maxHops: number | undefined;
}

/** `error` is the text to print; undefined if the command prints its help page instead. */
interface Refusal {
  readonly error: string | undefined;
}

const PROTOCOLS: Readonly<Record<string, PingProtocol>> = {
  [PROTOCOL_ICMP]: "icmp",
  [PROTOCOL_TCP]: "tcp",
  [PROTOCOL_UDP]: "udp",
};
const HOPS_MAX = 64;

/** @param words the words after the host. */
export function parseTraceWords(words: readonly string[]): TraceOptions | Refusal {
  let options: TraceOptions = { protocol: "udp", maxHops: undefined };
  for (let at = 0; at < words.length; at++) {
    const word = words[at] as string;
    const isOption = word === "-P" || word === "-m";
    // A bare number must not follow an earlier hop count.
    if (!isOption && options.maxHops !== undefined) return { error: undefined };
    const part = word === "-P" ? parseProtocol(words[at + 1]) : parseHops(word, words[at + 1]);
    if ("error" in part) return part;
    options = { ...options, ...part };
    if (isOption) at += 1;
  }
  return options;
}

function parseProtocol(value: string | undefined): Partial<TraceOptions> | Refusal {
  if (value === undefined) return { error: "Missing protocol" };
  const protocol = /^\d+$/.test(value) ? PROTOCOLS[Number(value)] : undefined;
  return protocol ? { protocol } : { error: "Invalid protocol" };
}

function parseHops(word: string, value: string | undefined): Partial<TraceOptions> | Refusal {
  const isOption = word === "-m";
  if (!isOption && !/^\d+$/.test(word)) return { error: undefined };
  const text = isOption ? value : word;
  if (text === undefined) return { error: "Missing TTL" };
  const maxHops = toNatural(text) ?? 0;
  return maxHops >= 1 && maxHops <= HOPS_MAX ? { maxHops } : { error: "Invalid TTL" };
}
