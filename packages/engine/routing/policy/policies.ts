/** The lists and route maps of a configuration, ready to judge routes. They are made once for a configuration. */

import type { JudgingLists } from "./judging-lists.ts";
import { type List, type ListType, parseRule, permits } from "./lists.ts";
import { type MatchTest, parseMatch } from "./matches.ts";
import { parseSet, type SetAction } from "./sets.ts";

export interface ListSpec {
  readonly type: ListType;
  readonly name: string;
  readonly description?: string;
  readonly rules: readonly string[];
}

/** An entry of a route map: `route-map NAME permit|deny SEQ`. */
export interface RouteMapSpec {
  readonly name: string;
  readonly seq: number;
  readonly action: "permit" | "deny";
  readonly description?: string;
  readonly match: readonly string[];
  readonly set: readonly string[];
  /** The map that judges what this entry permits. */
  readonly call?: string;
  /** What follows a match: `next`, or the number of an entry behind this one. */
  readonly onMatch?: string;
}

export interface PolicySpec {
  readonly routeLists?: readonly ListSpec[];
  readonly routeMaps?: readonly RouteMapSpec[];
}

export interface MapEntry {
  readonly seq: number;
  readonly isPermit: boolean;
  readonly match: readonly MatchTest[];
  readonly set: readonly SetAction[];
  readonly call: string | undefined;
  /** The number from which the map goes on; undefined: the route has its verdict. */
  readonly goesOnFrom: number | undefined;
}

export interface Policies extends JudgingLists {
  /** In the order of their numbers; undefined if there is no such map. */
  map(name: string): readonly MapEntry[] | undefined;
}

const made = new WeakMap<object, Policies>();
const NONE: readonly never[] = [];

/** @param of configuration data, which is never changed. */
export function policiesOf(of: PolicySpec): Policies {
  const known = made.get(of);
  if (known !== undefined) return known;
  const policies = make(of);
  made.set(of, policies);
  return policies;
}

function make({ routeLists = NONE, routeMaps = NONE }: PolicySpec): Policies {
  const lists = new Map(routeLists.map((spec) => [`${spec.type} ${spec.name}`, listOf(spec)]));
  const find = <T>(type: string, name: string): List<T> | undefined =>
    lists.get(`${type} ${name}`) as List<T> | undefined;
  const either = <T>(type: string, name: string): List<T> | undefined =>
    find<T>(`${type} standard`, name) ?? find<T>(`${type} expanded`, name);
  const maps = Map.groupBy(
    routeMaps.toSorted((one, other) => one.seq - other.seq),
    ({ name }) => name,
  );
  const entries = new Map([...maps].map(([name, specs]) => [name, specs.map(entryOf)]));
  return {
    prefix: (family, name, prefix) =>
      permits(find(family === 4 ? "ip prefix-list" : "ipv6 prefix-list", name), prefix),
    hasPrefixList: (family, name) =>
      lists.has(`${family === 4 ? "ip prefix-list" : "ipv6 prefix-list"} ${name}`),
    path: (name, path) => permits(find("bgp as-path access-list", name), path),
    communities: (name, own, isExact) => permits(either("bgp community-list", name), own, isExact),
    large: (name, own, isExact) => permits(either("bgp large-community-list", name), own, isExact),
    map: (name) => entries.get(name),
  };
}

function listOf({ type, rules }: ListSpec): List<never> {
  return {
    rules: rules.map((text) => {
      const rule = parseRule(type, text, 0);
      if (typeof rule === "string") throw new Error(`a rule was not checked: ${rule}`);
      return rule;
    }),
  };
}

const checked = <T>(parsed: T | string): T => {
  if (typeof parsed === "string") throw new Error(`a clause was not checked: ${parsed}`);
  return parsed;
};

const entryOf = ({ seq, action, match, set, call, onMatch }: RouteMapSpec): MapEntry => ({
  seq,
  isPermit: action === "permit",
  match: match.map((text) => checked(parseMatch(text)).does),
  set: set.map((text) => checked(parseSet(text)).does),
  call,
  goesOnFrom:
    onMatch === undefined ? undefined : onMatch === "next" ? seq + 1 : Number(onMatch.replace("goto ", "")),
});
