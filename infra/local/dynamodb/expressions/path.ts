/** Paths to attributes in an item: names of maps, and indexes of lists. */
import type { Attribute, Item } from "../attribute.ts";
import { invalid } from "../dynamodb-error.ts";

export type Path = readonly (string | number)[];

export function readPath(item: Item, path: Path): Attribute | undefined {
  let found: Attribute | undefined = { M: item };
  for (const part of path) {
    if (found === undefined) return undefined;
    found =
      typeof part === "number"
        ? found.L?.[part]
        : Object.hasOwn(found.M ?? {}, part)
          ? found.M![part]
          : undefined;
  }
  return found;
}

const NO_PARENT = "The document path provided in the update expression is invalid for update";

/** Returns the item with another attribute at the path. An index behind the end of a list appends. */
export function writePath(item: Item, path: Path, value: Attribute): Item {
  return write({ M: item }, path, value).M!;
}

function write(within: Attribute | undefined, [part, ...rest]: Path, value: Attribute): Attribute {
  if (typeof part === "number") {
    if (within?.L === undefined) throw invalid(NO_PARENT);
    const list = [...within.L];
    const at = Math.min(part, list.length);
    list[at] = rest.length === 0 ? value : write(list[at], rest, value);
    return { L: list };
  }
  if (within?.M === undefined) throw invalid(NO_PARENT);
  const present = Object.hasOwn(within.M, part!) ? within.M[part!] : undefined;
  return { M: { ...within.M, [part!]: rest.length === 0 ? value : write(present, rest, value) } };
}

/** Returns the item without the attribute at the path; nothing changes if it is not there. */
export function removePath(item: Item, path: Path): Item {
  return remove({ M: item }, path).M!;
}

function remove(within: Attribute, [part, ...rest]: Path): Attribute {
  if (typeof part === "number") {
    if (within.L === undefined) throw invalid(NO_PARENT);
    const present = within.L[part];
    if (present === undefined) {
      if (rest.length > 0) throw invalid(NO_PARENT);
      return within;
    }
    return rest.length === 0
      ? { L: within.L.toSpliced(part, 1) }
      : { L: within.L.with(part, remove(present, rest)) };
  }
  if (within.M === undefined) throw invalid(NO_PARENT);
  const present = Object.hasOwn(within.M, part!) ? within.M[part!] : undefined;
  if (rest.length === 0) {
    const { [part!]: _, ...others } = within.M;
    return { M: others };
  }
  if (present === undefined) throw invalid(NO_PARENT);
  return { M: { ...within.M, [part!]: remove(present, rest) } };
}

/** Returns what the item has at the paths, in maps and lists of its own. */
export function pickPaths(item: Item, paths: readonly Path[]): Item {
  return pick({ M: item }, paths)?.M ?? {};
}

function pick(attribute: Attribute, paths: readonly Path[]): Attribute | undefined {
  if (paths.some(({ length }) => length === 0)) return attribute;
  const byPart = [...Map.groupBy(paths, ([part]) => part!)].map(
    ([part, own]) => [part, own.map((path) => path.slice(1))] as const,
  );
  if (attribute.M !== undefined) {
    const picked = byPart.flatMap(([part, rests]) => {
      const present = typeof part === "string" ? readPath(attribute.M!, [part]) : undefined;
      const kept = present && pick(present, rests);
      return kept === undefined ? [] : [[part, kept] as const];
    });
    return picked.length === 0 ? undefined : { M: Object.fromEntries(picked) };
  }
  if (attribute.L !== undefined) {
    const picked = byPart
      .filter(([part]) => typeof part === "number")
      .sort(([a], [b]) => Number(a) - Number(b))
      .flatMap(([part, rests]) => {
        const present = attribute.L![Number(part)];
        const kept = present && pick(present, rests);
        return kept === undefined ? [] : [kept];
      });
    return picked.length === 0 ? undefined : { L: picked };
  }
  return undefined;
}

/** Reports whether one path is the other one, or leads to it. */
export const overlap = (a: Path, b: Path): boolean => {
  const length = Math.min(a.length, b.length);
  return a.slice(0, length).every((part, index) => part === b[index]);
};

export const formatPath = (path: Path): string =>
  `[${path.map((part) => (typeof part === "number" ? `[${part}]` : part)).join(", ")}]`;
