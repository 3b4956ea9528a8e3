/**
 * Edits of the properties of a device that are not sent: they make no valid device yet, or the service has refused them. The form shows the
 * stored properties with these edits, so an event of another client replaces nothing that was typed. Pure.
 */
import { type Path, type Properties, withValue } from "./values.ts";

export interface Edit {
  /** Begins with the key of the property. */
  readonly path: Path;
  /** Undefined removes the value. */
  readonly value: unknown;
}

export interface Problem {
  /** `ports.0.ipv4`. */
  readonly path: string;
  readonly message: string;
}

/** Returns what the readers say against properties. */
export type Check = (properties: Properties) => readonly Problem[];

export const keyOf = ({ path: [key] }: Edit): string => String(key);

export const withEdits = (stored: Properties, edits: readonly Edit[]): Properties =>
  edits.reduce((before, { path, value }) => withValue(before, path, value) as Properties, stored);

/** The problems that the stored properties do not have. */
export function problemsOf(stored: Properties, edits: readonly Edit[], check: Check): readonly Problem[] {
  if (edits.length === 0) return [];
  const before = new Set(check(stored).map(({ path, message }) => `${path} ${message}`));
  return check(withEdits(stored, edits)).filter(({ path, message }) => !before.has(`${path} ${message}`));
}

/** The keys of the properties that can be stored: each alone, or all together if they need each other. */
export function readyKeys(stored: Properties, edits: readonly Edit[], check: Check): readonly string[] {
  const keys = [...new Set(edits.map(keyOf))];
  if (problemsOf(stored, edits, check).length === 0) return keys;
  return keys.filter((key) => {
    const own = edits.filter((edit) => keyOf(edit) === key);
    return problemsOf(stored, own, check).length === 0;
  });
}

/** @param problems of a refused request. @param keys that it had. */
export function refusalOf(
  problems: readonly Problem[],
  keys: readonly string[],
  message: string,
): readonly Problem[] {
  const own = problems.map((problem) => ({
    ...problem,
    path: problem.path.replace(/^body\.properties\.?/, ""),
  }));
  return own.length > 0 ? own : keys.map((path) => ({ path, message }));
}

/** Whether a problem is at a path or within. */
export const isWithin = (path: Path) => {
  const at = path.join(".");
  return (problem: Problem): boolean => problem.path === at || problem.path.startsWith(`${at}.`);
};
