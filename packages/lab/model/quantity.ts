/** Numbers with units, as people write them. */
import { NS_PER_MS, NS_PER_SECOND, NS_PER_US } from "@wirelab/engine/base/time";

const QUANTITY = /^(-?[0-9]+(?:\.[0-9]+)?)\s*([a-zA-Zµ%]*)$/;

const NS_PER_UNIT: Readonly<Record<string, number>> = {
  ns: 1,
  us: NS_PER_US,
  µs: NS_PER_US,
  ms: NS_PER_MS,
  s: NS_PER_SECOND,
  sec: NS_PER_SECOND,
  m: 60 * NS_PER_SECOND,
  min: 60 * NS_PER_SECOND,
  h: 3_600 * NS_PER_SECOND,
};

const MULTIPLES: Readonly<Record<string, number>> = {
  "": 1,
  k: 1_000,
  kB: 1_000,
  M: 1_000_000,
  MB: 1_000_000,
  B: 1,
};

function parse(text: string, units: Readonly<Record<string, number>>, bare: string): number | undefined {
  const [, number, unit = ""] = QUANTITY.exec(text.trim()) ?? [];
  const factor = number === undefined ? undefined : units[unit === "" ? bare : unit];
  return factor === undefined ? undefined : Number(number) * factor;
}

/** Parses `1.5s`, `20ms` or `2m` to nanoseconds; a number alone is seconds. */
export const parseDurationNs = (input: number | string): number | undefined => {
  const ns = parse(String(input), NS_PER_UNIT, "s");
  return ns === undefined ? undefined : Math.round(ns);
};

/** Parses a time to milliseconds; a number alone is milliseconds. */
export const parseMs = (text: string): number | undefined => {
  const ns = parse(text, NS_PER_UNIT, "ms");
  return ns === undefined ? undefined : ns / NS_PER_MS;
};

const BITS: Readonly<Record<string, number>> = {
  bit: 1,
  kbit: 1_000,
  mbit: 1_000_000,
  gbit: 1_000_000_000,
};

/** Parses a rate to bits per second; the unit is required. */
export const parseRateBps = (text: string): number | undefined => parse(text, BITS, "");

/** Parses a count with `k` or `M`. */
export const parseCount = (text: string): number | undefined => parse(text, MULTIPLES, "");

/** Formats nanoseconds in the largest unit that keeps the number short: `1.5s`, `20ms`. */
export function formatDuration(ns: number): string {
  if (ns === 0) return "0s";
  if (Math.abs(ns) >= NS_PER_SECOND) return `${trimmed(ns / NS_PER_SECOND)}s`;
  if (Math.abs(ns) >= NS_PER_MS) return `${trimmed(ns / NS_PER_MS)}ms`;
  if (Math.abs(ns) >= NS_PER_US) return `${trimmed(ns / NS_PER_US)}µs`;
  return `${ns}ns`;
}

const trimmed = (value: number): string => String(Number(value.toFixed(6)));
