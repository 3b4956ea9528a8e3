/** Finds what an edit has changed. */
import type { Path } from "../../../../settings/property-reader.ts";

const isTree = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null;

/** Returns the places of values that are new or other than before. What an edit left alone is the same object. */
export function changedPaths(before: unknown, after: unknown, path: Path = []): Path[] {
  if (before === after) return [];
  if (!isTree(before) || !isTree(after)) return [path];
  const own = Object.entries(after).flatMap(([key, value]) =>
    changedPaths(before[key], value, [...path, Array.isArray(after) ? Number(key) : key]),
  );
  // An object that has lost a value, or is empty.
  return own.length === 0 ? [path] : own;
}
