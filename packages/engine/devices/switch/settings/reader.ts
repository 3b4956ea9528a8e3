/** Readers that the properties of a switch share. */

import type { Path, PropertyReader } from "../../../settings/property-reader.ts";
import { parseMac } from "../../../wire/mac.ts";
import type { SwitchPort } from "../ports.ts";

/** A switch as far as its other properties depend on it. */
export interface SwitchShape {
  readonly name: string;
  readonly ports: readonly SwitchPort[];
  /** The names of the ports, by number. */
  readonly portNames: readonly string[];
}

/** @returns undefined, with a problem, if the value is no number of a port. */
export function readPortNumber(
  reader: PropertyReader,
  value: unknown,
  path: Path,
  { ports }: SwitchShape,
): number | undefined {
  if (typeof value === "number" && Number.isInteger(value) && value >= 0 && value < ports.length)
    return value;
  reader.add(path, `is not a port of the switch, which has ports 0 to ${ports.length - 1}`);
  return undefined;
}

/** A list of different ports. */
export function readPortList(
  reader: PropertyReader,
  value: unknown,
  path: Path,
  shape: SwitchShape,
): number[] {
  const found: number[] = [];
  for (const [index, each] of (reader.array(value, path, 1, shape.ports.length) ?? []).entries()) {
    const port = readPortNumber(reader, each, [...path, index], shape);
    if (port === undefined) continue;
    if (found.includes(port)) reader.add([...path, index], `names port ${port} again`);
    else found.push(port);
  }
  return found;
}

/** An object whose keys are numbers of ports. */
export function readByPort<T>(
  reader: PropertyReader,
  value: unknown,
  path: Path,
  { ports }: SwitchShape,
  read: (given: unknown, path: Path) => T | undefined,
): Map<number, T> {
  const found = new Map<number, T>();
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    reader.add(path, "must be an object whose keys are numbers of ports");
    return found;
  }
  const numbers = ports.map((_, port) => String(port));
  for (const [key, given] of Object.entries(value)) {
    const port = numbers.indexOf(key);
    if (port < 0) {
      reader.add([...path, key], `is not a port of the switch, which has ports 0 to ${ports.length - 1}`);
      continue;
    }
    const one = read(given, [...path, key]);
    if (one !== undefined) found.set(port, one);
  }
  return found;
}

/** An integer of an object, or its default if it is absent or invalid. */
export const readIntegerOr = (
  reader: PropertyReader,
  value: unknown,
  path: Path,
  fallback: number,
  [min, max]: readonly [min: number, max: number],
): number => reader.optional(value, (each) => reader.integer(each, path, min, max)) ?? fallback;

export function readOneOf<T extends string>(
  reader: PropertyReader,
  value: unknown,
  path: Path,
  words: readonly T[],
  fallback: T,
): T {
  if (value === undefined) return fallback;
  if (words.includes(value as T)) return value as T;
  reader.add(path, `must be ${words.slice(0, -1).join(", ")} or ${words.at(-1)}`);
  return fallback;
}

export const readFlag = (reader: PropertyReader, value: unknown, path: Path, fallback: boolean): boolean =>
  reader.optional(value, (each) => reader.boolean(each, path)) ?? fallback;

export const readMacAddress = (reader: PropertyReader, value: unknown, path: Path): number | null =>
  reader.parsed(value, path, parseMac, "a MAC address, such as 02:00:00:00:00:01");
