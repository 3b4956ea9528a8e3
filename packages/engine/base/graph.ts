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
export const decodeGraph = (data: unknown, find: (name: unknown) => unknown): unknown =>
  new Decoder(find).read(data);

/** Copies of labs are made for each probe, so it is optimised: no closure, and no list of entries, for an object. */
class Decoder {
  readonly #find: (name: unknown) => unknown;
  readonly #shared = new Map<number, unknown>();

  constructor(find: (name: unknown) => unknown) {
    this.#find = find;
  }

  /** @param id the number of a shared object, which its own parts may refer to. */
  read(value: unknown, id?: number): unknown {
    if (typeof value !== "object" || value === null) return value;
    if (Array.isArray(value)) {
      const array = this.#keep<unknown[]>(id, []);
      for (const each of value) array.push(this.read(each));
      return array;
    }
    if (Object.hasOwn(value, MARK)) return this.#readTagged(value as Tagged, id);
    const object = this.#keep<Record<string, unknown>>(id, {});
    for (const key of Object.keys(value))
      set(object, key, this.read((value as Readonly<Record<string, unknown>>)[key]));
    return object;
  }

  #readTagged({ [MARK]: tag, v, id: number = -1 }: Tagged, id: number | undefined): unknown {
    switch (tag) {
      case "undefined":
        return undefined;
      case "bigint":
        return BigInt(String(v));
      case "number":
        return Number(v);
      case "bytes":
        return this.#keep(id, fromHex(String(v)));
      case "map": {
        const map = this.#keep(id, new Map<unknown, unknown>());
        for (const [key, each] of v as [unknown, unknown][]) map.set(this.read(key), this.read(each));
        return map;
      }
      case "set": {
        const read = this.#keep(id, new Set<unknown>());
        for (const each of v as unknown[]) read.add(this.read(each));
        return read;
      }
      case "object": {
        const object = this.#keep<Record<string, unknown>>(id, {});
        for (const [key, each] of v as [string, unknown][]) set(object, key, this.read(each));
        return object;
      }
      case "named":
        return this.#keep(id, this.#find(this.read(v)));
      case "def":
        return this.read(v, number);
      case "ref":
        if (!this.#shared.has(number)) throw new NoDataError(`no object has the number ${number}`);
        return this.#shared.get(number);
      default:
        throw new NoDataError(`"${tag}" is no kind of data`);
    }
  }

  #keep<T>(id: number | undefined, object: T): T {
    if (id !== undefined) this.#shared.set(id, object);
    return object;
  }
}

function set(object: Record<string, unknown>, key: string, value: unknown): void {
  if (key !== "__proto__") object[key] = value;
  else Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
}

function isPlain(value: object): boolean {
  if (typeof value === "function") return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
