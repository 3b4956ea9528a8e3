/** Lists that judge routes, and route maps: the lines of FRR as data. `routing/policy` has their grammar and their verdicts. */
import {
  formatRule,
  LIST_TYPE_NAMES,
  type ListType,
  parseRule,
  SEQUENCE_STEP,
} from "../../../../routing/policy/lists.ts";
import { parseMatch } from "../../../../routing/policy/matches.ts";
import { parseSet } from "../../../../routing/policy/sets.ts";
import { list } from "../../../../settings/collections.ts";
import { choice, integer, type Kind, spelled, text } from "../../../../settings/kind.ts";
import type { Path, PropertyReader } from "../../../../settings/property-reader.ts";
import { optional, type PropertiesOf, required, type SpecOf, setting } from "../../../../settings/shape.ts";
import { record } from "../../../../settings/words.ts";
import type { Ports } from "../base/port-kind.ts";
import type { ServiceSettings } from "../base/service-shape.ts";
import { headOf } from "./list-heads.ts";

const MAX_LISTS = 128;
/** The rules of all lists together. */
export const MAX_LIST_RULES = 2_048;
const MAX_ENTRIES = 512;
const MAX_CLAUSES = 32;
const MAX_ENTRY = 65_535;
const MAX_TEXT = 80;

const NAME = /^[!-~]{1,63}$/;
const listName = spelled(
  "a name of 1 to 63 characters without spaces",
  (name) => (NAME.test(name) ? name : null),
  {
    placeholder: "NAME",
  },
);

const description: Kind<string> = spelled(
  `a text of one line and up to ${MAX_TEXT} characters`,
  (given) =>
    given.trim() !== "" && given.length <= MAX_TEXT && !/[\r\n]/.test(given)
      ? given.trim().replaceAll(/\s+/g, " ")
      : null,
  { placeholder: "TEXT" },
);

const LIST = {
  type: required(choice(...LIST_TYPE_NAMES), { about: "the words of FRR in front of its name" }),
  name: required(listName),
  description: optional(description),
  rules: setting(list(text("RULE"), { max: MAX_LIST_RULES }), [], {
    about: "`seq 5 permit 10.0.0.0/8 le 24`; numbers grow",
  }),
} as const;
export type RouteListSpec = SpecOf<typeof LIST>;

export const nextSequence = (last: number): number => (Math.floor(last / SEQUENCE_STEP) + 1) * SEQUENCE_STEP;

const listRecord: Kind<RouteListSpec> = record<unknown, typeof LIST>(LIST);
const routeList: Kind<RouteListSpec> = {
  ...listRecord,
  read(reader, value, path, context) {
    const read = listRecord.read(reader, value, path, context);
    if (read === null) return null;
    const rules = readRules(reader, read.type, read.rules, [...path, "rules"]);
    return rules && { ...read, rules };
  },
};

/** The rules in their one spelling, each with a number. */
function readRules(
  reader: PropertyReader,
  type: ListType,
  given: readonly string[],
  path: Path,
): string[] | null {
  const before = reader.problems.length;
  let last = 0;
  const rules = given.map((each, index) => {
    const rule = parseRule(type, each, nextSequence(last));
    if (typeof rule === "string") return reader.add([...path, index], rule);
    if (rule.number <= last)
      return reader.add([...path, index], `rule ${rule.number} comes after rule ${last}`);
    last = rule.number;
    return formatRule(rule);
  });
  return reader.problems.length > before ? null : rules.filter((each) => each !== null);
}

/** A list of communities has one type: a name stands for the list at each place that uses it. */
const keyOfList = ({ type, name }: Pick<RouteListSpec, "type" | "name">): string =>
  `${type.replace(/ (standard|expanded)$/, "")} ${name}`;

const lists = list(routeList, { max: MAX_LISTS });

export const ROUTE_LISTS: ServiceSettings<
  "routeLists",
  readonly RouteListSpec[],
  PropertiesOf<typeof LIST>[]
> = {
  name: "routeLists",
  otherwise: [],
  omitsEmpty: true,
  read(reader, value, path) {
    const read = lists.read(reader, value, path, undefined);
    if (read === null) return null;
    checkDistinct(reader, path, read.map(keyOfList));
    const count = read.reduce((sum, { rules }) => sum + rules.length, 0);
    if (count > MAX_LIST_RULES)
      reader.add(path, `the lists have ${count} rules; ${MAX_LIST_RULES} are allowed`);
    return read;
  },
  format: (all) => lists.format!(all) as PropertiesOf<typeof LIST>[],
  print: (all) =>
    all.flatMap((each) => [
      ...(each.description === undefined ? [] : [`${headOf(each)} description ${each.description}`]),
      ...each.rules.map((rule) => `${headOf(each)} ${rule}`),
    ]),
  schema: () => ({ description: "lists that judge routes, in the words of FRR", ...lists.schema() }),
};

function checkDistinct(reader: PropertyReader, path: Path, keys: readonly string[]): void {
  const seen = new Map<string, number>();
  for (const [index, key] of keys.entries()) {
    const first = seen.get(key);
    if (first === undefined) seen.set(key, index);
    else reader.add([...path, index], `${key} is there already, as number ${first}`);
  }
}

const clause = (verb: string, parse: (text: string) => { readonly text: string } | string): Kind<string> => ({
  ...text(`${verb.toUpperCase()} CLAUSE`),
  read(reader, value, path) {
    const given = reader.text(value, path);
    const parsed = given === null ? null : parse(given);
    if (parsed === null) return null;
    return typeof parsed === "string" ? reader.add(path, parsed) : parsed.text;
  },
});

export const ON_MATCH = /^(?:next|goto ([1-9]\d{0,4}))$/;
const onMatch: Kind<string> = spelled(
  "next, or goto with the number of an entry",
  (given) => (ON_MATCH.test(given) ? given : null),
  {
    placeholder: "next|goto SEQ",
  },
);

const ENTRY = {
  name: required(listName),
  seq: required(integer(1, MAX_ENTRY, { placeholder: "SEQ" })),
  action: required(choice("permit", "deny")),
  description: optional(description),
  match: setting(list(clause("match", parseMatch), { max: MAX_CLAUSES }), [], {
    about: "what a route must have, in the words of FRR behind match",
  }),
  set: setting(list(clause("set", parseSet), { max: MAX_CLAUSES }), [], {
    about: "what changes, in the words of FRR behind set",
  }),
  call: optional(listName, { about: "the map that judges what this entry permits" }),
  on_match: optional(onMatch, { about: "the map goes on after a match", name: "onMatch" }),
} as const;
export type RouteMapEntrySpec = SpecOf<typeof ENTRY>;

const entries = list(
  record<Ports, typeof ENTRY>(ENTRY, ({ seq, onMatch: exit, match, set }, reader, path) => {
    const target = Number(ON_MATCH.exec(exit ?? "")?.[1]);
    if (seq && target <= seq)
      reader.add([...path, "on_match"], `entry ${target} does not come after entry ${seq}`);
    checkHeads(reader, [...path, "match"], (match ?? []).map(parseMatch));
    checkHeads(reader, [...path, "set"], (set ?? []).map(parseSet));
  }),
  { max: MAX_ENTRIES },
);

/** An entry has each clause once. */
function checkHeads(
  reader: PropertyReader,
  path: Path,
  clauses: readonly ({ readonly head: string } | string)[],
): void {
  const heads = clauses.map((each) => (typeof each === "string" ? "" : each.head));
  for (const [index, head] of heads.entries())
    if (heads.indexOf(head) < index) reader.add([...path, index], `${head} is there twice`);
}

/** The lines of an entry in FRR's block. */
export const entryLines = ({
  name,
  seq,
  action,
  match,
  set,
  call,
  onMatch: exit,
  description: about,
}: RouteMapEntrySpec): string[] => [
  `route-map ${name} ${action} ${seq}`,
  ...(about === undefined ? [] : [` description ${about}`]),
  ...match.map((each) => ` match ${each}`),
  ...set.map((each) => ` set ${each}`),
  ...(call === undefined ? [] : [` call ${call}`]),
  ...(exit === undefined ? [] : [` on-match ${exit}`]),
  "exit",
];

export const ROUTE_MAPS: ServiceSettings<
  "routeMaps",
  readonly RouteMapEntrySpec[],
  PropertiesOf<typeof ENTRY>[]
> = {
  name: "routeMaps",
  otherwise: [],
  omitsEmpty: true,
  read(reader, value, path, ports) {
    const read = entries.read(reader, value, path, ports);
    if (read === null) return null;
    checkDistinct(
      reader,
      path,
      read.map(({ name, seq }) => `route-map ${name} ${seq}`),
    );
    return read;
  },
  format: (all) => entries.format!(all) as PropertiesOf<typeof ENTRY>[],
  print: (all) => all.flatMap(entryLines),
  schema: () => ({ description: "entries of route maps, in the words of FRR", ...entries.schema() }),
};

declare module "../base/config.ts" {
  interface ServicesConfig {
    readonly routeLists?: readonly RouteListSpec[];
    readonly routeMaps?: readonly RouteMapEntrySpec[];
  }
  interface ServicesProperties {
    route_lists?: PropertiesOf<typeof LIST>[];
    route_maps?: PropertiesOf<typeof ENTRY>[];
  }
}
