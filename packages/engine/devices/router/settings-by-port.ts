/** Settings that a user gives by the name of a port, in any letter case. */
import type { Path, PropertyReader } from "../../settings/property-reader.ts";

/**
 * @param read returns the port's own name with its settings; null if they are invalid: the reader then has the problem.
 * @returns the settings in the order of the names, because storage does not keep that of keys; null if any are invalid.
 */
export function settingsByPort<T>(
  reader: PropertyReader,
  value: unknown,
  path: Path,
  read: (given: string, settings: unknown, path: Path) => readonly [name: string, settings: T] | null,
): Record<string, T> | null {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return reader.add(path, "must be an object");
  const before = reader.problems.length;
  const found = new Map<string, T>();
  for (const [given, settings] of Object.entries(value)) {
    const where = [...path, given];
    const [name, own] = read(given, settings, where) ?? [];
    if (name === undefined) continue;
    if (found.has(name)) reader.add(where, `${name} is there already`);
    found.set(name, own!);
  }
  if (reader.problems.length > before) return null;
  return Object.fromEntries([...found].toSorted(([one], [other]) => (one < other ? -1 : 1)));
}
