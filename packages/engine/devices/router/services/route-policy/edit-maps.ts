/** `route-map NAME permit|deny SEQ`, and the lines in its block. */
import { parseMatch } from "../../../../routing/policy/matches.ts";
import { parseSet } from "../../../../routing/policy/sets.ts";
import type { RouterProperties } from "../base/config.ts";

type Words = readonly string[];
type Entry = NonNullable<RouterProperties["route_maps"]>[number];
export type EntryEdit = (entry: Entry, words: Words) => Entry | string;

/** Which entry a block is of. */
export interface EntryName {
  readonly name: string;
  readonly seq: number;
}

const isEntry = (entry: Entry, { name, seq }: EntryName): boolean => entry.name === name && entry.seq === seq;

/** Makes an entry, or changes its verdict. */
export function withEntry(
  properties: RouterProperties,
  { name, seq }: EntryName,
  action: "permit" | "deny",
): RouterProperties {
  const { route_maps: before = [] } = properties;
  const index = before.findIndex((each) => isEntry(each, { name, seq }));
  if (index !== -1) return { ...properties, route_maps: before.with(index, { ...before[index], action }) };
  // The entries of a map stand together, in the order of their numbers.
  const place = before.findLastIndex((each) => each.name === name && each.seq! < seq);
  const first = before.findIndex((each) => each.name === name);
  const at = place !== -1 ? place + 1 : first !== -1 ? first : before.length;
  return { ...properties, route_maps: before.toSpliced(at, 0, { name, seq, action }) };
}

/** `no route-map NAME [permit|deny SEQ]`. */
export function withoutEntry(
  properties: RouterProperties,
  [name = "", action, seq]: Words,
): RouterProperties | string {
  const { route_maps: before = [] } = properties;
  const kept = before.filter(
    (each) =>
      each.name !== name || (seq !== undefined && (each.seq !== Number(seq) || each.action !== action)),
  );
  if (kept.length === before.length)
    return `There is no route-map ${[name, action, seq].filter(Boolean).join(" ")}`;
  return { ...properties, route_maps: kept };
}

export function editEntry(
  properties: RouterProperties,
  entry: EntryName,
  edit: EntryEdit,
  words: Words,
): RouterProperties | string {
  const { route_maps: before = [] } = properties;
  const index = before.findIndex((each) => isEntry(each, entry));
  const edited =
    index === -1 ? `There is no route-map ${entry.name} ${entry.seq}` : edit(before[index]!, words);
  return typeof edited === "string" ? edited : { ...properties, route_maps: before.with(index, edited) };
}

const PARSERS = { match: parseMatch, set: parseSet } as const;
type Verb = keyof typeof PARSERS;

const headOf = (verb: Verb, text: string): string | undefined => {
  const parsed = PARSERS[verb](text);
  return typeof parsed === "string" ? undefined : parsed.head;
};

/** A clause takes the place of the one with its words, and comes last. */
export const setClause =
  (verb: Verb, head: string): EntryEdit =>
  (entry, words) => {
    const parsed = PARSERS[verb]([head, ...words].join(" "));
    if (typeof parsed === "string") return parsed;
    const others = (entry[verb] ?? []).filter((each) => headOf(verb, each) !== parsed.head);
    return { ...entry, [verb]: [...others, parsed.text] };
  };

export const removeClause =
  (verb: Verb, head: string): EntryEdit =>
  (entry) => {
    const before = entry[verb] ?? [];
    const kept = before.filter((each) => headOf(verb, each) !== head);
    return kept.length === before.length
      ? `There is no such line: ${verb} ${head}`
      : { ...entry, [verb]: kept };
  };

export const setText =
  (key: "description" | "call" | "on_match", prefix: Words = []): EntryEdit =>
  (entry, words) => ({ ...entry, [key]: [...prefix, ...words].join(" ") });

export const removeText =
  (key: "description" | "call" | "on_match"): EntryEdit =>
  (entry) => {
    const { [key]: own, ...others } = entry;
    return own === undefined ? `There is no such line: ${key.replace("_", "-")}` : others;
  };
