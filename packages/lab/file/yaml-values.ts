/** The values of a YAML document as plain data, with their places. A value that has aliases is one object in all its places. */
import { type Document, isAlias, isMap, isPair, isScalar, isSeq, type YAMLMap, type YAMLSeq } from "yaml";
import type { Path } from "./problem.ts";

/** A fault of the text, which ends its reading. */
export class YamlFault extends Error {
  readonly offset: number;

  constructor(offset: number, message: string) {
    super(message);
    this.offset = offset;
  }
}

/** Values that all aliases together stand for, and their characters. The readers walk through them, whether or not they are one object. */
const MOST_ALIASED_VALUES = 100_000;
const MOST_ALIASED_CHARACTERS = 1_048_576;
/** The readers, and whatever prints a value, are recursive. */
const MOST_LEVELS = 100;

/** @param isPlain whether the scalar has neither quotes nor a block's sign. */
export type ScalarReader = (text: string, isPlain: boolean) => unknown;

interface Value {
  readonly data: unknown;
  /** The values in it, counted as often as aliases name them, and their characters. */
  readonly size: number;
  readonly characters: number;
  /** The levels of collections in it. */
  readonly levels: number;
}

export class YamlValues {
  readonly data: unknown;
  readonly #start: number | undefined;
  /** By name; undefined while the value of the anchor is being read. A later anchor of a name replaces an earlier one. */
  readonly #anchors = new Map<
    string,
    { readonly value: Value | undefined; readonly text: string | undefined }
  >();
  /** Offsets of the keys of a map, and of the values of a list by their index. */
  readonly #offsets = new Map<object, ReadonlyMap<string | number, number>>();
  readonly #readScalar: ScalarReader | undefined;
  #aliasedValues = 0;
  #aliasedCharacters = 0;

  /** @throws YamlFault */
  constructor({ contents }: Document.Parsed, readScalar?: ScalarReader) {
    this.#readScalar = readScalar;
    this.#start = contents?.range?.[0];
    this.data = this.#read(contents, 0).data;
  }

  /** Returns the offset of a key or value; for one that is missing, of the map or list that lacks it. */
  offsetOf(path: Path): number | undefined {
    let offset = this.#start;
    let at = this.data;
    for (const key of path) {
      const own = this.#offsets.get(at as object)?.get(key);
      if (own === undefined) return offset;
      offset = own;
      at = (at as Readonly<Record<string | number, unknown>>)[key];
    }
    return offset;
  }

  #read(node: unknown, level: number): Value {
    if (level > MOST_LEVELS)
      throw new YamlFault(startOf(node), `is nested more than ${MOST_LEVELS} levels deep here.`);
    if (isAlias(node)) return this.#resolve(node.source, startOf(node), level);
    const { anchor } = (node ?? {}) as { anchor?: string };
    if (anchor !== undefined) this.#anchors.set(anchor, { value: undefined, text: undefined });
    const value = isMap(node)
      ? this.#readMap(node, level)
      : isSeq(node)
        ? this.#readList(node, level)
        : this.#readNode(node);
    if (anchor !== undefined)
      this.#anchors.set(anchor, { value, text: isScalar(node) ? textOf(node) : undefined });
    return value;
  }

  #resolve(name: string, offset: number, level: number): Value {
    const anchor = this.#anchors.get(name);
    if (anchor === undefined)
      throw new YamlFault(offset, `has an alias without an anchor before it: *${name}.`);
    const { value } = anchor;
    if (value === undefined) throw new YamlFault(offset, `has an alias of a value in that value: *${name}.`);
    this.#aliasedValues += value.size;
    this.#aliasedCharacters += value.characters;
    const most =
      this.#aliasedValues > MOST_ALIASED_VALUES
        ? `${MOST_ALIASED_VALUES} values`
        : this.#aliasedCharacters > MOST_ALIASED_CHARACTERS
          ? `${MOST_ALIASED_CHARACTERS} characters`
          : undefined;
    if (most !== undefined)
      throw new YamlFault(offset, `has aliases that stand for more than ${most}, up to *${name} here.`);
    if (level + value.levels > MOST_LEVELS)
      throw new YamlFault(offset, `is nested more than ${MOST_LEVELS} levels deep here.`);
    return value;
  }

  #readNode(node: unknown): Value {
    if (!isScalar(node)) return { data: null, size: 1, characters: 0, levels: 0 };
    const text = textOf(node) ?? "";
    const data = this.#readScalar === undefined ? node.value : this.#readScalar(text, node.type === "PLAIN");
    return { data, size: 1, characters: text.length, levels: 0 };
  }

  #readMap(map: YAMLMap, level: number): Value {
    const entries = new Map<string, unknown>();
    const offsets = new Map<string, number>();
    const inside = new Inside();
    for (const { key, value } of map.items) {
      const text = this.#readKey(key);
      if (entries.has(text)) throw new YamlFault(startOf(key), "is not YAML: Map keys must be unique");
      offsets.set(text, startOf(key));
      entries.set(text, inside.add(this.#read(value, level + 1)));
    }
    // Unlike assignment, this makes `__proto__` a key like any other.
    const data = Object.fromEntries(entries);
    this.#offsets.set(data, offsets);
    return { data, ...inside.sum };
  }

  #readList(list: YAMLSeq, level: number): Value {
    const inside = new Inside();
    const data = list.items.map((item) => {
      if (isPair(item)) throw new YamlFault(startOf(item.key), "is not YAML: a pair stands outside a map");
      return inside.add(this.#read(item, level + 1));
    });
    this.#offsets.set(data, new Map(list.items.map((item, index) => [index, startOf(item)])));
    return { data, ...inside.sum };
  }

  /** Keys are names, so 001 and 1 are two keys. */
  #readKey(key: unknown): string {
    if (!isAlias(key) && !isScalar(key)) throw new YamlFault(startOf(key), "has a key that is not a text.");
    // Also for what it does with anchors and aliases.
    this.#read(key, 0);
    const text = isAlias(key) ? this.#anchors.get(key.source)?.text : textOf(key);
    if (text === undefined) throw new YamlFault(startOf(key), "has a key that is not a text.");
    return text;
  }
}

/** Sums up what is in a collection. */
class Inside {
  sum = { size: 1, characters: 0, levels: 1 };

  add({ data, size, characters, levels }: Value): unknown {
    this.sum.size += size;
    this.sum.characters += characters;
    this.sum.levels = Math.max(this.sum.levels, levels + 1);
    return data;
  }
}

/** A scalar as it is written, without quotes. */
const textOf = (node: unknown): string | undefined =>
  isScalar(node) ? (node.source ?? String(node.value)) : undefined;

const startOf = (node: unknown): number =>
  (node as { range?: readonly number[] | null } | null)?.range?.[0] ?? 0;
