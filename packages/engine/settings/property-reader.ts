/**
 * Parses unknown JSON data strictly and collects every problem.
 *
 * Each reader returns the value, or null if it is invalid, and then adds a problem. `optional` returns undefined for an
 * absent value, so that rules that compare several values can skip invalid ones.
 */

export type Path = readonly (string | number)[];

export interface Problem {
  readonly path: (string | number)[];
  readonly message: string;
}

export class PropertyReader {
  readonly problems: Problem[] = [];

  add(path: Path, message: string): null {
    this.problems.push({ path: [...path], message });
    return null;
  }

  optional<T>(value: unknown, read: (value: unknown) => T | null): T | null | undefined {
    return value === undefined ? undefined : read(value);
  }

  /** An object with known keys only. */
  object(value: unknown, path: Path, known: readonly string[]): Readonly<Record<string, unknown>> | null {
    if (typeof value !== "object" || value === null || Array.isArray(value))
      return this.add(path, "must be an object");
    for (const key of Object.keys(value)) {
      if (!known.includes(key))
        this.add([...path, key], `is not a known property; known are ${known.join(", ")}`);
    }
    // Own keys only: inherited ones are not in the JSON data.
    return Object.fromEntries(Object.entries(value));
  }

  array(value: unknown, path: Path, min: number, max: number): readonly unknown[] | null {
    if (!Array.isArray(value)) return this.add(path, "must be an array");
    if (value.length < min || value.length > max)
      return this.add(path, `must have ${min} to ${max} items, not ${value.length}`);
    return value;
  }

  text(value: unknown, path: Path): string | null {
    return typeof value === "string" ? value : this.add(path, "must be a string");
  }

  integer(value: unknown, path: Path, min: number, max: number): number | null {
    if (typeof value !== "number" || !Number.isInteger(value)) return this.add(path, "must be an integer");
    return value >= min && value <= max ? value : this.add(path, `must be ${min} to ${max}, not ${value}`);
  }

  boolean(value: unknown, path: Path): boolean | null {
    return typeof value === "boolean" ? value : this.add(path, "must be true or false");
  }

  /** Text that `parse` accepts. */
  parsed<T>(value: unknown, path: Path, parse: (text: string) => T | null, what: string): T | null {
    const text = this.text(value, path);
    if (text === null) return null;
    return parse(text) ?? this.add(path, `${JSON.stringify(text.slice(0, 64))} is not ${what}`);
  }
}
