/**
 * A setting is a row of a shape: its key in `properties`, its kind, its default, and its line at a console. Reader, JSON form, types, JSON
 * Schema, lines of a configuration and commands come from the row:
 *
 *     severity: setting(integer(0, 7), 6, { about: "the least severe messages that are sent", line: "severity" })
 *
 *     { "severity": 3 }     syslog severity 3     no syslog severity
 */
import type { JsonSchema, Kind, ValueOf } from "./kind.ts";
import type { Path, PropertyReader } from "./property-reader.ts";

/** How a setting is written at a console, after the words of its service. */
interface About {
  /** One phrase: for `help`, documents and editors. */
  readonly about?: string;
  /** Its words at a console; without them, no line has it alone. */
  readonly line?: string;
  /** In place of the kind's words in a usage. */
  readonly syntax?: string;
  /** The name of the value in code; absent: the key. */
  readonly name?: string;
  /** The line has no value: with it the setting is true, without it false. */
  readonly isPresence?: true;
  /** Among words, the word stands before each item of a list. */
  readonly isRepeated?: true;
  /** A configuration shows the default, too. */
  readonly isShown?: true;
}

export interface Setting<T, C = never> extends About {
  readonly kind: Kind<T, C>;
  readonly otherwise?: T;
  readonly isRequired?: true;
  /** An empty list or map is stored as an absent one. */
  readonly omitsEmpty?: true;
  /** The value that is stored as an absent one. */
  readonly usual?: T;
}

// biome-ignore lint/suspicious/noExplicitAny: the value of any setting, whose kind both takes and returns it.
export type Shape<C = never> = Readonly<Record<string, Setting<any, C>>>;

type NameOf<S, K> = S extends { name: infer N extends string } ? N : K;
type IsSure<S> = S extends { isRequired: true } | { otherwise: unknown } ? true : false;
type Value<S> = S extends { kind: infer K } ? ValueOf<K> : never;
type Flat<T> = { [K in keyof T]: T[K] };

/** The values with their names in code; those with a default or that are required are always there. */
export type SpecOf<S> = Flat<
  {
    readonly [K in keyof S as IsSure<S[K]> extends true ? NameOf<S[K], K & string> : never]: Value<S[K]>;
  } & {
    readonly [K in keyof S as IsSure<S[K]> extends true ? never : NameOf<S[K], K & string>]?: Value<S[K]>;
  }
>;

/** The values before the rules between them: null stands for an invalid one. */
export type DraftOf<S> = { readonly [K in keyof S as NameOf<S[K], K & string>]?: Value<S[K]> | null };

/** The JSON form of a value. */
export type Json<T> = T extends readonly (infer I)[]
  ? Json<I>[]
  : T extends object
    ? { -readonly [K in keyof T]?: Json<T[K]> }
    : T;

/** The JSON form; all is optional, because defaults may be left out and a reader says what is missing. */
export type PropertiesOf<S> = { -readonly [K in keyof S]?: Json<Value<S[K]>> };

export const setting = <T, C, const A extends About = object>(kind: Kind<T, C>, otherwise: T, about?: A) =>
  ({ kind, otherwise, ...about }) as { readonly kind: Kind<T, C>; readonly otherwise: T } & A;

export const required = <T, C, const A extends About = object>(kind: Kind<T, C>, about?: A) =>
  ({ kind, isRequired: true, ...about }) as { readonly kind: Kind<T, C>; readonly isRequired: true } & A;

export const optional = <T, C, const A extends About = object>(kind: Kind<T, C>, about?: A) =>
  ({ kind, ...about }) as { readonly kind: Kind<T, C> } & A;

/** A list or map that is absent when it is empty. */
export const unlessEmpty = <T, C, const A extends About = object>(kind: Kind<T, C>, about?: A) =>
  ({ kind, omitsEmpty: true, ...about }) as { readonly kind: Kind<T, C>; readonly omitsEmpty: true } & A;

/** A value that is absent when it is the usual one. */
export const unlessUsual = <T, C, const A extends About = object>(kind: Kind<T, C>, usual: T, about?: A) =>
  ({ kind, usual, ...about }) as { readonly kind: Kind<T, C>; readonly usual: T } & A;

/** Rules between values. */
export type Rules<S, C> = (draft: DraftOf<S>, reader: PropertyReader, path: Path, context: C) => void;

/** @returns null if the value is no object. @param further keys that the caller reads. */
export function readDraft<C, S extends Shape<C>>(
  reader: PropertyReader,
  value: unknown,
  path: Path,
  shape: S,
  context: C,
  further: readonly string[] = [],
): DraftOf<S> | null {
  const given = reader.object(value, path, [...Object.keys(shape), ...further]);
  if (given === null) return null;
  const draft: Record<string, unknown> = {};
  for (const [key, { kind, otherwise, isRequired, omitsEmpty, usual, name = key }] of Object.entries(shape)) {
    const own = given[key];
    if (own === undefined && otherwise !== undefined) draft[name] = otherwise;
    else if (own !== undefined || isRequired) {
      const read: unknown = kind.read(reader, own, [...path, key], context);
      const isAbsent =
        omitsEmpty && read !== null ? Object.keys(read as object).length === 0 : read === usual;
      if (!isAbsent) draft[name] = read;
    }
  }
  return draft as DraftOf<S>;
}

/** The values without any given ones. */
export const defaultsOf = <S extends Shape>(shape: S): SpecOf<S> =>
  Object.fromEntries(
    Object.entries(shape).flatMap(([key, { name = key, otherwise }]) =>
      otherwise === undefined ? [] : [[name, otherwise]],
    ),
  ) as SpecOf<S>;

/** A draft whose reading added no problem has every value. */
export const withoutProblems = <S>(draft: object): SpecOf<S> => draft as SpecOf<S>;

/** @returns null if a value is invalid: the reader then has the problem. */
export function readShape<C, S extends Shape<C>>(
  reader: PropertyReader,
  value: unknown,
  path: Path,
  shape: S,
  context: C,
  rules?: Rules<S, C>,
): SpecOf<S> | null {
  const before = reader.problems.length;
  const draft = readDraft<C, S>(reader, value, path, shape, context);
  if (draft !== null) rules?.(draft, reader, path, context);
  return reader.problems.length > before || draft === null ? null : withoutProblems<S>(draft);
}

/** The settings of a shape that have a value. */
export const present = <S extends Shape>(shape: S, spec: SpecOf<S>) =>
  Object.entries(shape).flatMap(([key, each]) => {
    const value: unknown = (spec as Readonly<Record<string, unknown>>)[each.name ?? key];
    return value === undefined ? [] : [{ key, value, ...each }];
  });

/** @returns the JSON form, with every default. */
export const formatShape = <S extends Shape>(shape: S, spec: SpecOf<S>): PropertiesOf<S> =>
  Object.fromEntries(
    present(shape, spec).map(({ key, kind, value }) => [key, (kind.format ?? structuredClone)(value)]),
  ) as PropertiesOf<S>;

/** @returns JSON Schema of each setting, by its key. */
export const schemasOf = (shape: Shape): Readonly<Record<string, JsonSchema>> =>
  Object.fromEntries(
    Object.entries(shape).map(([key, { kind, usual, otherwise = usual, about }]) => [
      key,
      {
        ...kind.schema(),
        ...(about && { description: about }),
        ...(otherwise !== undefined && { default: (kind.format ?? structuredClone)(otherwise) }),
      },
    ]),
  );

export const schemaOfShape = (shape: Shape): JsonSchema => {
  const needed = Object.entries(shape)
    .filter(([, { isRequired }]) => isRequired)
    .map(([key]) => key);
  return {
    type: "object",
    properties: schemasOf(shape),
    ...(needed.length > 0 && { required: needed }),
    additionalProperties: false,
  };
};
