/**
 * The lists of FRR that judge routes. A rule is a line of text, in configurations as in `properties`:
 *
 *     ip prefix-list                      seq 5 permit 10.0.0.0/8 ge 16 le 24
 *     bgp as-path access-list             seq 5 deny _65001_
 *     bgp community-list standard         seq 5 permit 65000:1 no-export
 *     bgp community-list expanded         seq 5 permit 65000:.*
 *
 * The first rule that matches decides. A route that no rule matches is denied, and so is each route by a list that does not exist.
 */
import type { Prefix4, Prefix6 } from "../../net/address/prefix.ts";
import { formatPath } from "./as-path.ts";
import { formatCommunity, formatLargeCommunity, parseCommunity, parseLargeCommunity } from "./communities.ts";
import { formatPrefixMatch, matchesPrefix, parsePrefixMatch } from "./prefix-list.ts";
import { parseExpression } from "./regular-expression.ts";
import type { LargeCommunity, PathSegment } from "./route.ts";

export type Action = "permit" | "deny";

/** A test of what a list judges. */
interface Judged {
  readonly prefix: Prefix4 | Prefix6;
  readonly path: readonly PathSegment[];
  readonly communities: readonly number[];
  readonly large: readonly LargeCommunity[];
}

export interface Matcher<T> {
  /** The one spelling of its words. */
  readonly text: string;
  readonly matches: (value: T) => boolean;
  /** Of lists of communities: has a route exactly these? Expanded lists have no other way to match. */
  readonly isExactly?: (value: T) => boolean;
}

const prefixes =
  (family: 4 | 6) =>
  (words: readonly string[]): Matcher<Judged["prefix"]> | string => {
    const match = parsePrefixMatch(family, words);
    return typeof match === "string"
      ? match
      : { text: formatPrefixMatch(match), matches: (route) => matchesPrefix(match, route) };
  };

const expression =
  <T>(format: (value: T) => string) =>
  (words: readonly string[]): Matcher<T> | string => {
    const text = words.join(" ");
    const parsed = text === "" ? "the rule ends before the expression" : parseExpression(text);
    return typeof parsed === "string" ? parsed : { text, matches: (value) => parsed.isIn(format(value)) };
  };

const members =
  <T>(what: string, parse: (text: string) => T | undefined, format: (value: T) => string) =>
  (words: readonly string[]): Matcher<readonly T[]> | string => {
    const wrong = words.find((word) => parse(word) === undefined);
    if (words.length === 0) return `the rule ends before ${what}`;
    if (wrong !== undefined) return `${wrong} is not ${what}`;
    const own = [...new Set(words.map((word) => format(parse(word)!)))];
    const has = (value: readonly T[]): boolean => {
      const present = new Set(value.map(format));
      return own.every((each) => present.has(each));
    };
    return {
      text: own.join(" "),
      matches: has,
      isExactly: (value) => value.length === own.length && has(value),
    };
  };

const COMMUNITY = "a community (65000:1, no-export)";
const LARGE_COMMUNITY = "a large community (65000:1:2)";

const formatCommunities = (communities: readonly number[]): string =>
  communities.map(formatCommunity).join(" ");
const formatLarge = (communities: readonly LargeCommunity[]): string =>
  communities.map(formatLargeCommunity).join(" ");

/** Each type of list: the words in front of its name, what follows `permit` or `deny`, and what it judges. */
export const LIST_TYPES = {
  "ip prefix-list": {
    judges: "prefix",
    syntax: "any|PREFIX [ge LENGTH] [le LENGTH]",
    about: "prefixes of IPv4: exactly one, or all in it whose lengths are from ge to le",
    parse: prefixes(4),
  },
  "ipv6 prefix-list": {
    judges: "prefix",
    syntax: "any|PREFIX [ge LENGTH] [le LENGTH]",
    about: "prefixes of IPv6, in the same way",
    parse: prefixes(6),
  },
  "bgp as-path access-list": {
    judges: "path",
    syntax: "REGEX...",
    about: "paths of BGP by a regular expression; _ stands between numbers, and at both ends",
    parse: expression(formatPath),
  },
  "bgp community-list standard": {
    judges: "communities",
    syntax: "COMMUNITY...",
    about: "routes of BGP that have all of these communities",
    parse: members(COMMUNITY, parseCommunity, formatCommunity),
  },
  "bgp community-list expanded": {
    judges: "communities",
    syntax: "REGEX...",
    about: "routes of BGP whose communities match a regular expression",
    parse: expression(formatCommunities),
  },
  "bgp large-community-list standard": {
    judges: "large",
    syntax: "LARGE-COMMUNITY...",
    about: "routes of BGP that have all of these large communities",
    parse: members(LARGE_COMMUNITY, parseLargeCommunity, formatLargeCommunity),
  },
  "bgp large-community-list expanded": {
    judges: "large",
    syntax: "REGEX...",
    about: "routes of BGP whose large communities match a regular expression",
    parse: expression(formatLarge),
  },
} as const satisfies Readonly<
  Record<
    string,
    {
      readonly judges: keyof Judged;
      readonly syntax: string;
      readonly about: string;
      readonly parse: (words: readonly string[]) => Matcher<never> | string;
    }
  >
>;

export type ListType = keyof typeof LIST_TYPES;
export const LIST_TYPE_NAMES = Object.keys(LIST_TYPES) as ListType[];

export interface ListRule {
  readonly number: number;
  readonly action: Action;
  readonly matcher: Matcher<never>;
}

export const MAX_SEQUENCE = 4_294_967_295;
export const SEQUENCE_STEP = 5;

/** @param number of a rule without one. @returns what is wrong as text. */
export function parseRule(type: ListType, text: string, number: number): ListRule | string {
  const words = text.trim().split(/\s+/);
  const hasNumber = words[0]?.toLowerCase() === "seq";
  const own = hasNumber ? words[1] : String(number);
  if (!/^\d{1,10}$/.test(own ?? "") || Number(own) < 1 || Number(own) > MAX_SEQUENCE)
    return `seq must be 1 to ${MAX_SEQUENCE}${own === undefined ? "" : `, not ${own}`}`;
  const [action = "", ...rest] = hasNumber ? words.slice(2) : words;
  if (action !== "permit" && action !== "deny") return `${action || "the end"} is not permit or deny`;
  const matcher = LIST_TYPES[type].parse(rest);
  return typeof matcher === "string"
    ? matcher
    : { number: Number(own), action, matcher: matcher as Matcher<never> };
}

export const formatRule = ({ number, action, matcher: { text } }: ListRule): string =>
  `seq ${number} ${action} ${text}`;

export interface List<T> {
  readonly rules: readonly { readonly action: Action; readonly matcher: Matcher<T> }[];
}

/** A list that has a description alone permits all. @param list undefined if it does not exist. @param isExact `exact-match` of lists of communities. */
export function permits<T>(list: List<T> | undefined, value: T, isExact = false): boolean {
  if (list?.rules.length === 0) return true;
  const found = list?.rules.find(({ matcher: { matches, isExactly = matches } }) =>
    (isExact ? isExactly : matches)(value),
  );
  return found?.action === "permit";
}
