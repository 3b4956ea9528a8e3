/**
 * Kinds of values of settings. A kind reads a value from JSON and from words of a console, and writes it back:
 *
 *     integer(0, 7)        6                      severity 6
 *     list(ipv4, {...})    ["10.0.0.1"]           server 10.0.0.1
 *     flag                 false                  preempt off
 */
import type { Path, PropertyReader } from "./property-reader.ts";

/** @template T the value. @template C what a check needs to know about other settings. */
export interface Kind<T, C = unknown> {
  /** @returns null after it has added a problem. */
  readonly read: (reader: PropertyReader, value: unknown, path: Path, context: C) => T | null;
  /** Returns the value as JSON. Absent: the value is JSON itself. */
  format?(value: T): unknown;
  /** The words of a value in the usage of a command: `ADDR`, `on|off`. */
  readonly placeholder: string;
  words(value: T): string;
  /** Returns the JSON form; undefined for words that no value has. The reader checks bounds. */
  readonly parse: (words: readonly string[]) => unknown;
  /** JSON Schema (draft 2020-12) of the JSON form. */
  readonly schema: () => JsonSchema;
}

export type JsonSchema = Readonly<Record<string, unknown>>;

export type ValueOf<K> = K extends Kind<infer T, infer _C> ? T : never;

const NUMBER = /^\d{1,10}$/;

/** Returns the only word; undefined if there is another number of words. */
export const oneOf = ([word, ...more]: readonly string[]): string | undefined =>
  more.length > 0 ? undefined : word;

/** @param unit how many of the console's units make one of the property's. */
export const integer = (
  min: number,
  max: number,
  { unit = 1, placeholder = "N" }: { readonly unit?: number; readonly placeholder?: string } = {},
): Kind<number> => ({
  read: (reader, value, path) => reader.integer(value, path, min, max),
  placeholder,
  words: (value) => String(value * unit),
  parse: (words) => (NUMBER.test(oneOf(words) ?? "") ? Number(words[0]) / unit : undefined),
  schema: () => ({ type: "integer", minimum: min, maximum: max }),
});

export const seconds = (min: number, max: number): Kind<number> =>
  integer(min, max, { placeholder: "SECONDS" });

export const flag: Kind<boolean> = {
  read: (reader, value, path) => reader.boolean(value, path),
  placeholder: "on|off",
  words: (value) => (value ? "on" : "off"),
  parse: (words) => ({ on: true, off: false })[oneOf(words)?.toLowerCase() ?? ""],
  schema: () => ({ type: "boolean" }),
};

export const choice = <const T extends string>(...of: readonly T[]): Kind<T> => ({
  read(reader, value, path) {
    const text = reader.text(value, path);
    if (text === null) return null;
    return of.find((each) => each === text) ?? reader.add(path, `must be ${of.join(", ")}`);
  },
  placeholder: of.join("|"),
  words: (value) => value,
  parse: (words) => oneOf(words)?.toLowerCase(),
  schema: () => ({ enum: of }),
});

/** Text that is spelled in one way: `normal` returns this spelling, or null for a text that is no such value. */
export const spelled = <C = unknown>(
  what: string,
  normal: (text: string, context: C) => string | null,
  { placeholder, ...schema }: JsonSchema & { readonly placeholder: string },
): Kind<string, C> => ({
  read: (reader, value, path, context) => reader.parsed(value, path, (text) => normal(text, context), what),
  placeholder,
  words: (value) => value,
  parse: oneOf,
  schema: () => ({ type: "string", ...schema }),
});

export const text = (placeholder: string): Kind<string> => ({
  read: (reader, value, path) => reader.text(value, path),
  placeholder,
  words: (value) => value,
  parse: oneOf,
  schema: () => ({ type: "string" }),
});

/** Text of several lines: a script, a file. */
export const prose = (placeholder: string): Kind<string> => ({
  ...text(placeholder),
  schema: () => ({ type: "string", contentMediaType: "text/plain" }),
});

/** A kind with a rule of its own. @param rule returns what is wrong with a value. */
export const checked = <T, C>(
  kind: Kind<T, C>,
  rule: (value: T, context: C) => string | undefined,
): Kind<T, C> => ({
  ...kind,
  read(reader, value, path, context) {
    const read = kind.read(reader, value, path, context);
    const problem = read === null ? undefined : rule(read, context);
    return problem === undefined ? read : reader.add(path, problem);
  },
});

/** A kind that no console has words for. @param read may return a part of the value after it has added a problem. */
export const unspoken = <T, C = unknown>(
  read: Kind<T, C>["read"],
  schema: JsonSchema | (() => JsonSchema),
  format?: (value: T) => unknown,
): Kind<T, C> => ({
  read,
  ...(format && { format }),
  placeholder: "VALUE",
  words: (value) => JSON.stringify(value),
  parse: () => undefined,
  schema: typeof schema === "function" ? schema : () => schema,
});

/** One of some words, numbers, true or false. */
export const anyOf = <const T extends readonly (string | number | boolean)[]>(...of: T): Kind<T[number]> =>
  unspoken(
    (reader, value, path) =>
      of.find((each) => each === value) ??
      reader.add(path, `must be ${of.slice(0, -1).join(", ")} or ${of.at(-1)}`),
    { enum: of },
  );
