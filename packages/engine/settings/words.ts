/** Settings as words of one line, each after its own word: `lease 60 dns 10.0.0.1 10.0.0.2 reserve 00:50:79:66:68:00 10.0.0.9`. */
import { type ListKind, list } from "./collections.ts";
import type { Kind } from "./kind.ts";
import type { Path, PropertyReader } from "./property-reader.ts";
import {
  type DraftOf,
  formatShape,
  present,
  type Rules,
  readDraft,
  readShape,
  type Shape,
  type SpecOf,
  schemaOfShape,
  withoutProblems,
} from "./shape.ts";

type Words = readonly string[];
type Row = Shape[string];

const itemOf = ({ kind }: Row) => (kind as ListKind<unknown, never>).item;
const isNothing = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

/** The settings that differ from their defaults, in the order of the shape; required ones have their place before the words. */
export const wordsOf = <S extends Shape>(shape: S, spec: SpecOf<S>): string[] =>
  present(shape, spec).flatMap(({ key, value, ...row }) => {
    const { line = key, otherwise, isRequired, isShown, isRepeated, kind } = row;
    if (isRequired || isNothing(value) || (value === otherwise && !isShown)) return [];
    if (!isRepeated) return [`${line} ${kind.words(value)}`];
    return (value as readonly unknown[]).map((each) => `${line} ${itemOf(row).words(each)}`);
  });

/** What words may follow, for a usage: `[lease SECONDS] [dns ADDR...] [reserve MAC ADDR]...`. */
export const syntaxOf = (shape: Shape): string =>
  Object.entries(shape)
    .filter(([, { isRequired }]) => !isRequired)
    .map(([key, row]) => {
      const { line = key, kind, isRepeated, syntax = kind.placeholder } = row;
      return isRepeated ? `[${line} ${itemOf(row).placeholder}]...` : `[${line} ${syntax}]`;
    })
    .join(" ");

/** Changes properties by words. `off` takes away what is there, or has no such value. @returns undefined if a word is wrong. */
export function edited<P extends object>(shape: Shape, before: P, words: Words): P | undefined {
  const keys = new Map(Object.entries(shape).map(([key, { line = key }]) => [line, key]));
  const properties = new Map<string, unknown>(Object.entries(before));
  for (let at = 0; at < words.length; ) {
    // A value may be spelled as a word: a VRF that is called "track".
    const next = words.findIndex((word, index) => index > at + 1 && keys.has(word.toLowerCase()));
    const end = next === -1 ? words.length : next;
    const key = keys.get(words[at]!.toLowerCase());
    if (key === undefined) return undefined;
    const values = words.slice(at + 1, end);
    const row = shape[key]!;
    const value = row.isRepeated ? itemOf(row).parse(values) : row.kind.parse(values);
    if (isOff(row, values) && (value === undefined || properties.has(key))) properties.delete(key);
    else {
      if (value === undefined) return undefined;
      properties.set(key, row.isRepeated ? [...((properties.get(key) ?? []) as unknown[]), value] : value);
    }
    at = end;
  }
  return Object.fromEntries(properties) as P;
}

const isOff = ({ isRequired, otherwise }: Row, [word = "", ...more]: Words): boolean =>
  !isRequired && otherwise === undefined && more.length === 0 && word.toLowerCase() === "off";

/** A value with settings of its own. At a console: its required values in their order, then the others after their words. */
export const record = <C, const S extends Shape<C>>(shape: S, rules?: Rules<S, C>): Kind<SpecOf<S>, C> => {
  const needed = Object.entries(shape).filter(([, { isRequired }]) => isRequired);
  return {
    read: (reader, value, path, context) => readShape<C, S>(reader, value, path, shape, context, rules),
    format: (value) => formatShape(shape, value),
    placeholder: [...needed.map(([, { kind }]) => kind.placeholder), syntaxOf(shape)]
      .filter(Boolean)
      .join(" "),
    words: (value) =>
      [
        ...present(shape, value).flatMap(({ isRequired, kind, value: own }) =>
          isRequired ? [kind.words(own)] : [],
        ),
        ...wordsOf(shape, value),
      ].join(" "),
    parse(words) {
      const values = needed.map(([key, { kind }], at) => [key, kind.parse(words.slice(at, at + 1))] as const);
      if (words.length < needed.length || values.some(([, value]) => value === undefined)) return undefined;
      return edited(shape, Object.fromEntries(values), words.slice(needed.length));
    },
    schema: () => schemaOfShape(shape),
  };
};

interface ListRules<S, C> {
  readonly max: number;
  /** Rules of one item. */
  readonly rules?: Rules<S, C>;
  /** Rules between items; null stands for an item that is no object. */
  readonly between?: (
    items: readonly (DraftOf<S> | null)[],
    reader: PropertyReader,
    path: Path,
    context: C,
  ) => void;
}

/** A list of records, whose rules see the items that are invalid, too. */
export const records = <C, const S extends Shape<C>>(
  shape: S,
  { max, rules, between }: ListRules<S, C>,
): ListKind<SpecOf<S>, C> => ({
  ...list(record<C, S>(shape), { max }),
  read(reader, value, path, context) {
    const before = reader.problems.length;
    const drafts = Array.from(reader.array(value, path, 0, max) ?? [], (each, index) => {
      const at = [...path, index];
      const draft = readDraft<C, S>(reader, each, at, shape, context);
      if (draft !== null) rules?.(draft, reader, at, context);
      return draft;
    });
    between?.(drafts, reader, path, context);
    if (reader.problems.length > before) return null;
    return drafts.flatMap((draft) => (draft === null ? [] : [withoutProblems<S>(draft)]));
  },
});
