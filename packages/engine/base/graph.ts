/**
 * Plain JSON data of a graph of objects, and the graph again: what JSON knows, and bytes, bigints, Maps, Sets, undefined and numbers
 * without a form in JSON. An object that stands at several places is one object afterwards, too. Instances of classes and functions have
 * names, which the caller gives and understands.
 *
 *     { "$": "bytes", "v": "c0ffee" }     { "$": "def", "id": 0, "v": [] } at the first place of a shared object, { "$": "ref", "id": 0 } later
 */
import { fromHex, toHex } from "./bytes.ts";

const MARK = "$";

export interface Names {
  /** Returns the name of an instance or a function, itself a graph; undefined if it has none. */
  nameOf(value: object): unknown;
}

/** A part of the graph has no data. */
export class NoDataError extends Error {
  override readonly name = "NoDataError";
}

type Tagged = { readonly [MARK]: string; readonly v?: unknown; readonly id?: number };

/** @throws NoDataError for functions and instances without a name. */
export function encodeGraph(root: unknown, names: Names): EncodedGraph {
  const encoder = new Encoder(names);
  const data = encoder.encode(root);
  return { data, isShared: (object) => encoder.shared.has(object) };
}

export interface EncodedGraph {
  readonly data: unknown;
  /** Whether an object stands at several places of the graph. */
  isShared(object: object): boolean;
}

class Encoder {
  readonly #names: Names;
  readonly #named = new Map<object, unknown>();
  readonly #seen = new Set<object>();
  /** The objects that stand at several places, with their numbers once they are written. */
  readonly shared = new Map<object, number | undefined>();
  #ids = 0;

  constructor(names: Names) {
    this.#names = names;
  }

  encode(root: unknown): unknown {
    this.#count(root, "");
    return this.#write(root);
  }

  /** Finds the objects that stand at several places. */
  #count(value: unknown, place: string): void {
    if ((typeof value !== "object" && typeof value !== "function") || value === null) return;
    if (this.#seen.has(value)) {
      this.shared.set(value, undefined);
      return;
    }
    this.#seen.add(value);
    if (value instanceof Uint8Array) return;
    if (value instanceof Map) {
      for (const [key, each] of value) {
        this.#count(key, place);
        this.#count(each, `${place}.${String(key)}`);
      }
    } else if (value instanceof Set) for (const each of value) this.#count(each, place);
    else if (Array.isArray(value))
      for (const [index, each] of value.entries()) this.#count(each, `${place}[${index}]`);
    else if (isPlain(value))
      for (const [key, each] of Object.entries(value)) this.#count(each, `${place}.${key}`);
    else {
      const name = this.#names.nameOf(value);
      if (name === undefined) throw new NoDataError(`${place.slice(1)} has no form as data`);
      this.#named.set(value, name);
      this.#count(name, place);
    }
  }

  #write(value: unknown): unknown {
    if (typeof value === "object" && value !== null) return this.#writeObject(value);
    switch (typeof value) {
      case "function":
        return this.#writeObject(value);
      case "undefined":
        return { [MARK]: "undefined" };
      case "bigint":
        return { [MARK]: "bigint", v: String(value) };
      case "number":
        if (Number.isFinite(value) && !Object.is(value, -0)) return value;
        return { [MARK]: "number", v: Object.is(value, -0) ? "-0" : String(value) };
      default:
        return value;
    }
  }

  #writeObject(value: object): unknown {
    if (!this.shared.has(value)) return this.#writeContent(value);
    const before = this.shared.get(value);
    if (before !== undefined) return { [MARK]: "ref", id: before };
    const id = this.#ids++;
    this.shared.set(value, id);
    return { [MARK]: "def", id, v: this.#writeContent(value) };
  }

  #writeContent(value: object): unknown {
    if (value instanceof Uint8Array) return { [MARK]: "bytes", v: toHex(value) };
    if (value instanceof Map)
      return { [MARK]: "map", v: [...value].map(([key, each]) => [this.#write(key), this.#write(each)]) };
    if (value instanceof Set) return { [MARK]: "set", v: [...value].map((each) => this.#write(each)) };
    if (Array.isArray(value)) return Array.from(value, (each) => this.#write(each));
    if (this.#named.has(value)) return { [MARK]: "named", v: this.#write(this.#named.get(value)) };
    const entries = Object.entries(value).filter(([, each]) => each !== undefined);
    const written = entries.map(([key, each]) => [key, this.#write(each)] as const);
    return MARK in value ? { [MARK]: "object", v: written } : Object.fromEntries(written);
  }
}

/** @param find returns the instance of a name. @throws NoDataError for data that `encodeGraph` does not write. */
export function decodeGraph(data: unknown, find: (name: unknown) => unknown): unknown {
  const shared = new Map<number, unknown>();
  const read = (value: unknown, keep: (object: unknown) => void): unknown => {
    if (typeof value !== "object" || value === null) return value;
    const made = <T>(object: T): T => {
      keep(object);
      return object;
    };
    const inner = (each: unknown): unknown => read(each, () => {});
    if (Array.isArray(value)) {
      const array: unknown[] = made([]);
      for (const each of value) array.push(inner(each));
      return array;
    }
    if (!Object.hasOwn(value, MARK)) return fill(made({}), Object.entries(value), inner);
    const { [MARK]: tag, v, id = -1 } = value as Tagged;
    switch (tag) {
      case "undefined":
        return undefined;
      case "bigint":
        return BigInt(String(v));
      case "number":
        return Number(v);
      case "bytes":
        return made(fromHex(String(v)));
      case "map": {
        const map = made(new Map<unknown, unknown>());
        for (const [key, each] of v as [unknown, unknown][]) map.set(inner(key), inner(each));
        return map;
      }
      case "set": {
        const set = made(new Set<unknown>());
        for (const each of v as unknown[]) set.add(inner(each));
        return set;
      }
      case "object":
        return fill(made({}), v as [string, unknown][], inner);
      case "named":
        return made(find(inner(v)));
      case "def":
        return read(v, (object) => shared.set(id, object));
      case "ref":
        if (!shared.has(id)) throw new NoDataError(`no object has the number ${id}`);
        return shared.get(id);
      default:
        throw new NoDataError(`"${tag}" is no kind of data`);
    }
  };
  return read(data, () => {});
}

function fill(
  object: Record<string, unknown>,
  entries: readonly (readonly [string, unknown])[],
  inner: (value: unknown) => unknown,
): object {
  for (const [key, each] of entries)
    Object.defineProperty(object, key, {
      value: inner(each),
      writable: true,
      enumerable: true,
      configurable: true,
    });
  return object;
}

function isPlain(value: object): boolean {
  if (typeof value === "function") return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
