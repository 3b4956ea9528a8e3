/** Kinds of values that hold others: lists, and maps by a name. */
import { choice, type Kind } from "./kind.ts";

/** At a console, each item has a line of its own, or follows the word of the setting. */
export interface ListKind<T, C> extends Kind<readonly T[], C> {
  readonly item: Kind<T, C>;
}

interface ListOptions {
  readonly min?: number;
  readonly max: number;
  readonly isDistinct?: boolean;
  /** A single item may stand without its list. */
  readonly takesOne?: boolean;
}

export const list = <T, C>(
  item: Kind<T, C>,
  { min = 0, max, isDistinct = false, takesOne = false }: ListOptions,
): ListKind<T, C> => ({
  item,
  read(reader, value, path, context) {
    if (takesOne && typeof value === "string") {
      const one = item.read(reader, value, path, context);
      return one === null ? null : [one];
    }
    const given = reader.array(value, path, min, max);
    if (given === null) return null;
    const items = Array.from(given, (each, index) => item.read(reader, each, [...path, index], context));
    if (isDistinct)
      for (const [index, each] of items.entries())
        if (each !== null && items.indexOf(each) < index)
          reader.add([...path, index], `${each} is in the list already`);
    return items.every((each) => each !== null) ? items : null;
  },
  format: (value) => value.map((each) => (item.format ?? structuredClone)(each)),
  placeholder: `${item.placeholder}...`,
  words: (value) => value.map((each) => item.words(each)).join(" "),
  parse(words) {
    const items = words.map((word) => item.parse([word]));
    return items.length < Math.max(min, 1) || items.includes(undefined) ? undefined : items;
  },
  schema() {
    const items = item.schema();
    const array = {
      type: "array",
      items,
      minItems: min,
      maxItems: max,
      ...(isDistinct && { uniqueItems: true }),
    };
    return takesOne ? { anyOf: [items, array] } : array;
  },
});

/** At a console, each entry has a line of its own: the name, then the words of the value. */
export interface MapKind<T, C, V = Readonly<Record<string, T>>> extends Kind<V, C> {
  readonly key: Kind<string, C>;
  readonly value: Kind<T, C>;
}

interface MapOptions {
  readonly max?: number;
  /** What the keys are called in a problem. */
  readonly keys?: string;
  readonly already?: string;
  /** Entries are not sorted. */
  readonly keepsOrder?: boolean;
}

/** Entries are sorted by their names, because storage does not keep the order of keys. */
export const map = <T, C>(
  key: Kind<string, C>,
  value: Kind<T, C>,
  { max, keys = "names", already = "is in the list already", keepsOrder = false }: MapOptions = {},
): MapKind<T, C> => ({
  key,
  value,
  read(reader, given, path, context) {
    if (typeof given !== "object" || given === null || Array.isArray(given))
      return reader.add(path, "must be an object");
    const entries = Object.entries(given);
    if (max !== undefined && entries.length > max)
      return reader.add(path, `must have 0 to ${max} ${keys}, not ${entries.length}`);
    const before = reader.problems.length;
    const found = new Map<string, T>();
    for (const [text, each] of entries) {
      const where = [...path, text];
      const name = key.read(reader, text, where, context);
      const own = value.read(reader, each, where, context);
      if (name === null) continue;
      if (found.has(name)) reader.add(where, `${name} ${already}`);
      if (own !== null) found.set(name, own);
    }
    if (reader.problems.length > before) return null;
    return keepsOrder ? Object.fromEntries(found) : sorted(found);
  },
  format: (values) =>
    Object.fromEntries(
      Object.entries(values).map(([name, each]) => [name, (value.format ?? structuredClone)(each)]),
    ),
  placeholder: `${key.placeholder} ${value.placeholder}`,
  words: (values) =>
    Object.entries(values)
      .map(([name, each]) => `${name} ${value.words(each)}`)
      .join(" "),
  parse: () => undefined,
  schema: () => ({
    type: "object",
    additionalProperties: value.schema(),
    ...(max && { maxProperties: max }),
  }),
});

const sorted = <T>(entries: ReadonlyMap<string, T>): Record<string, T> =>
  Object.fromEntries([...entries].toSorted(([one], [other]) => (one < other ? -1 : 1)));

/** Values by names that are known. They keep the order of these names. */
export function byName<const N extends string, T, C>(
  names: readonly N[],
  value: Kind<T, C>,
): MapKind<T, C, Readonly<Partial<Record<N, T>>>> {
  const any = map<T, C>(choice(...names), value);
  return {
    ...any,
    format: (values) => any.format?.(values as Readonly<Record<string, T>>),
    words: (values) => any.words(values as Readonly<Record<string, T>>),
    read(reader, given, path, context) {
      const values = reader.object(given, path, names);
      if (values === null) return null;
      const read = names
        .filter((name) => values[name] !== undefined)
        .map((name) => [name, value.read(reader, values[name], [...path, name], context)] as const);
      return read.some(([, each]) => each === null) ? null : (Object.fromEntries(read) as Record<N, T>);
    },
    schema: () => ({
      type: "object",
      properties: Object.fromEntries(names.map((name) => [name, value.schema()])),
      additionalProperties: false,
    }),
  };
}
