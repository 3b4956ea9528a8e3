/** Reads a list of texts that has none of them twice. */
import type { Path, PropertyReader } from "../../settings/property-reader.ts";

/** @param read returns null for an invalid value. @returns null if a value is invalid: the reader then has the problem. */
export function readDistinct(
  reader: PropertyReader,
  value: unknown,
  path: Path,
  max: number,
  read: (value: unknown, path: Path) => string | null,
): readonly string[] | null {
  const given = reader.array(value, path, 0, max);
  if (given === null) return null;
  const values = given.map((each, index) => read(each, [...path, index]));
  for (const [index, each] of values.entries())
    if (each !== null && values.indexOf(each) < index)
      reader.add([...path, index], `${each} is in the list already`);
  return values.includes(null) ? null : (values as string[]);
}
