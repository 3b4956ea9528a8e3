/** Reports keys that the tables do not have, or that they refuse. */

import type { Fields } from "../../file/fields.ts";
import type { Path, Problems } from "../../file/problem.ts";
import type { Key } from "./keys.ts";

export function checkKeys(
  fields: Fields,
  base: Path,
  keys: Readonly<Record<string, Key>>,
  problems: Problems,
): void {
  for (const key of Object.keys(fields)) {
    const known = Object.hasOwn(keys, key) ? keys[key] : undefined;
    if (known === undefined)
      problems.add(
        [...base, key],
        "cannot be run here: containerlab has no such key. Correct or delete it.",
        {
          given: key,
          known: Object.keys(keys),
        },
      );
    else if (known.is === "refused") problems.add([...base, key], `cannot be run here: ${known.because}`);
  }
}

/** A list that is another value would be left out in silence; a missing value is an empty list. */
export function listAt(fields: Fields, key: string, base: Path, problems: Problems): readonly unknown[] {
  const value = fields[key] ?? undefined;
  if (value === undefined || Array.isArray(value)) return value ?? [];
  problems.add([...base, key], "must be a list.");
  return [];
}
