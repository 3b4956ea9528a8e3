/**
 * The lines of a service at a console: a setting has one, an item of a list, an entry of a map.
 *
 *     dns server 10.0.0.1       no dns server 10.0.0.1
 *     dns host www 10.0.0.2     no dns host www
 *     dns ttl 60                no dns ttl
 */
import type { ListKind, MapKind } from "./collections.ts";
import type { Shape } from "./shape.ts";

type Properties = Readonly<Record<string, unknown>>;
type Words = readonly string[];

export interface Line {
  /** The words that it begins with. */
  readonly head: string;
  readonly syntax?: string;
  /** What follows the head after `no`. */
  readonly named?: string;
  readonly about: string;
  /** @returns the changed properties; undefined if the words are wrong. */
  readonly set: (properties: Properties, words: Words) => Properties | undefined;
  /** @returns undefined if there is no such line. */
  readonly unset: (properties: Properties, words: Words) => Properties | undefined;
  /** @param spec the values with their names in code. */
  readonly print: (spec: Properties) => Words;
}

const without = (properties: Properties, ...keys: Words): Properties =>
  Object.fromEntries(Object.entries(properties).filter(([key]) => !keys.includes(key)));
const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

/** The lines of the settings that have one, in the order of the shape. */
export const linesOf = (shape: Shape): Line[] =>
  Object.entries(shape).flatMap(([key, each]) =>
    each.line === undefined ? [] : [lineOf(key, each, each.line)],
  );

function lineOf(key: string, each: Shape[string], head: string): Line {
  const { kind, about = "", name = key, isPresence } = each;
  const shared = { head, about, syntax: each.syntax ?? kind.placeholder };
  if ("item" in kind) return { ...shared, ...itemLine(key, name, kind as ListKind<unknown, never>, head) };
  if ("key" in kind) return { ...shared, ...entryLine(key, name, kind as MapKind<unknown, never>, head) };
  if (isPresence) return presenceLine(key, name, head, about);
  return {
    ...shared,
    set(properties, words) {
      const value = kind.parse(words);
      return value === undefined ? undefined : { ...properties, [key]: value };
    },
    unset: (properties, words) =>
      words.length > 0 || properties[key] === undefined ? undefined : without(properties, key),
    print: ({ [name]: value }) =>
      value === undefined || (value === each.otherwise && !each.isShown)
        ? []
        : [`${head} ${kind.words(value)}`],
  };
}

const presenceLine = (key: string, name: string, head: string, about: string): Line => ({
  head,
  about,
  set: (properties, words) => (words.length > 0 ? undefined : { ...properties, [key]: true }),
  unset: (properties, words) => (words.length > 0 ? undefined : { ...properties, [key]: false }),
  print: ({ [name]: value }) => (value ? [head] : []),
});

const itemLine = (key: string, name: string, { item }: ListKind<unknown, never>, head: string) => ({
  syntax: item.placeholder,
  named: item.placeholder,
  set(properties: Properties, words: Words) {
    const value = item.parse(words);
    const before = (properties[key] ?? []) as readonly unknown[];
    return value === undefined ? undefined : { ...properties, [key]: [...before, value] };
  },
  /** The item is named by the words that added it. */
  unset(properties: Properties, words: Words) {
    const before = (properties[key] ?? []) as readonly unknown[];
    const kept = before.filter((each) => !isSame(item.words(each), words.join(" ")));
    return kept.length === before.length ? undefined : { ...properties, [key]: kept };
  },
  print: ({ [name]: values = [] }: Properties) =>
    (values as readonly unknown[]).map((value) => `${head} ${item.words(value)}`),
});

const entryLine = (key: string, name: string, kind: MapKind<unknown, never>, head: string) => ({
  named: kind.key.placeholder,
  set(properties: Properties, [entry, ...words]: Words) {
    const value = kind.value.parse(words);
    if (entry === undefined || value === undefined) return undefined;
    const own = spelledAs(kind, entry);
    return {
      ...properties,
      [key]: { ...without(entriesOf(properties, key), ...named(properties, key, own)), [own]: value },
    };
  },
  /** Words after the name are what it had: they are not read. */
  unset(properties: Properties, [entry = ""]: Words) {
    const found = named(properties, key, spelledAs(kind, entry));
    return found.length === 0
      ? undefined
      : { ...properties, [key]: without(entriesOf(properties, key), ...found) };
  },
  print: ({ [name]: values = {} }: Properties) =>
    Object.entries(values as object).map(([entry, value]) =>
      `${head} ${entry} ${kind.value.words(value)}`.trim(),
    ),
});

const entriesOf = (properties: Properties, key: string): Properties => (properties[key] ?? {}) as Properties;
const named = (properties: Properties, key: string, entry: string): string[] =>
  Object.keys(entriesOf(properties, key)).filter((each) => isSame(each, entry));
const spelledAs = ({ key }: MapKind<unknown, never>, text: string): string => String(key.parse([text]));

/** One line with the values of several settings that are numbers, which `no` resets together. */
export function together(shape: Shape, keys: Words, line: Pick<Line, "head" | "about" | "syntax">): Line {
  const rows = keys.map((key) => ({ key, ...shape[key]! }));
  return {
    ...line,
    set(properties, words) {
      const values = rows.map(({ key, kind }, at) => [key, kind.parse(words.slice(at, at + 1))] as const);
      const isWrong = words.length !== keys.length || values.some(([, value]) => value === undefined);
      return isWrong ? undefined : { ...properties, ...Object.fromEntries(values) };
    },
    unset: (properties, words) => (words.length > 0 ? undefined : without(properties, ...keys)),
    print(spec) {
      const values = rows.map(({ key, kind, name = key, otherwise }) => ({
        kind,
        otherwise,
        value: spec[name],
      }));
      return values.every(({ value, otherwise }) => value === otherwise)
        ? []
        : [[line.head, ...values.map(({ kind, value }) => kind.words(value))].join(" ")];
    },
  };
}
