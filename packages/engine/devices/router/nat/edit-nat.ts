/** `ip nat ...` and `no ip nat ...`, as edits of the router's `properties`; each returns an error as text. */
import type { RouterProperties } from "../config.ts";
import {
  forwardLine,
  readForwardWords,
  readSourceWords,
  readStaticWords,
  sourceLine,
  staticLine,
} from "./lines.ts";
import type { ForwardRule, NatSpec, SourceRule, StaticRule } from "./nat-spec.ts";

export const NAT_USAGES = [
  "ip nat source PORT PREFIX interface|FIRST[-LAST] [overload]",
  "ip nat static PORT INSIDE OUTSIDE",
  "ip nat forward PORT tcp|udp [OUTSIDE] PORT[-LAST] INSIDE [PORT]",
  "ip nat hairpin",
] as const;
const USAGE = `Usage: [no] ${NAT_USAGES.join(" | [no] ")}`;

interface Kind {
  readonly key: "source" | "static" | "forward";
  read(words: readonly string[]): object | undefined;
  line(rule: unknown): string;
}

const KINDS: readonly Kind[] = [
  { key: "source", read: readSourceWords, line: (rule) => sourceLine(rule as SourceRule) },
  { key: "static", read: readStaticWords, line: (rule) => staticLine(rule as StaticRule) },
  { key: "forward", read: readForwardWords, line: (rule) => forwardLine(rule as ForwardRule) },
];

type Rules = Record<Kind["key"], readonly unknown[] | undefined>;

export function addNat(
  properties: RouterProperties,
  [what, ...words]: readonly string[],
): RouterProperties | string {
  const nat = properties.nat ?? {};
  const kind = KINDS.find(({ key }) => key === what?.toLowerCase());
  if (kind === undefined) return setHairpin(properties, what, words, true);
  const rule = kind.read(words);
  if (rule === undefined) return USAGE;
  const rules = (nat as Rules)[kind.key] ?? [];
  return { ...properties, nat: { ...nat, [kind.key]: [...rules, rule] } as NatSpec };
}

/** The rule is named by the words that added it, as `show running-config` prints them. */
export function removeNat(
  properties: RouterProperties,
  [what, ...words]: readonly string[],
): RouterProperties | string {
  const nat = properties.nat ?? {};
  const kind = KINDS.find(({ key }) => key === what?.toLowerCase());
  if (kind === undefined) return setHairpin(properties, what, words, false);
  const rules = (nat as Rules)[kind.key] ?? [];
  const line = ["ip nat", kind.key, ...words].join(" ").toLowerCase();
  const kept = rules.filter((rule) => kind.line(rule).toLowerCase() !== line);
  if (kept.length === rules.length) return "There is no such rule: show running-config lists the rules";
  return { ...properties, nat: { ...nat, [kind.key]: kept } as NatSpec };
}

const setHairpin = (
  properties: RouterProperties,
  what: string | undefined,
  words: readonly string[],
  hairpin: boolean,
): RouterProperties | string =>
  what?.toLowerCase() === "hairpin" && words.length === 0
    ? { ...properties, nat: { ...properties.nat, hairpin } }
    : USAGE;
