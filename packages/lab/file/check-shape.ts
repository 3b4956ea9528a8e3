/** Compares a value with a schema, and reports each difference in words at its path. */
import type * as z from "zod/mini";
import type { Path, Problems } from "./problem.ts";

/** @returns undefined if the value has problems, which are added. */
export function checkShape<S extends z.ZodMiniType>(
  schema: S,
  value: unknown,
  path: Path,
  problems: Problems,
): z.output<S> | undefined {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  for (const issue of result.error.issues) report(issue, keysOf(schema, issue.path), value, path, problems);
  return undefined;
}

function report(
  issue: z.core.$ZodIssue,
  known: readonly string[],
  root: unknown,
  base: Path,
  problems: Problems,
): void {
  const path = [...base, ...(issue.path as Path)];
  if (issue.code === "unrecognized_keys") {
    for (const key of issue.keys) problems.add([...path, key], "is not a field here.", { given: key, known });
    return;
  }
  const value = valueAt(root, issue.path as Path);
  if (issue.code === "invalid_value" && value !== undefined)
    problems.add(path, `is not known: ${shown(value)}.`, {
      given: String(value),
      known: issue.values.map(String),
    });
  else problems.add(path, describe(issue, value));
}

function describe(issue: z.core.$ZodIssue, value: unknown): string {
  if (issue.code === "custom") return issue.message;
  if (value === undefined) return "is missing.";
  const got = `got ${shown(value)}`;
  switch (issue.code) {
    case "invalid_type":
      return `must be ${WORDS[issue.expected] ?? issue.expected}, ${got}.`;
    case "invalid_union": {
      const kinds = issue.errors.flatMap((errors) =>
        errors.filter((error) => error.path.length === 0).flatMap((error) => expectedOf(error)),
      );
      return `must be ${[...new Set(kinds)].join(" or ") || "of another form"}, ${got}.`;
    }
    case "too_small":
      return `must be at least ${issue.minimum}, ${got}.`;
    case "too_big":
      return `must be at most ${issue.maximum}, ${got}.`;
    default:
      return `is not valid, ${got}.`;
  }
}

const WORDS: Readonly<Record<string, string>> = {
  string: "text",
  number: "a number",
  int: "an integer",
  boolean: "true or false",
  array: "a list",
  object: "a map",
  record: "a map",
};

function expectedOf(issue: z.core.$ZodIssue): string[] {
  if (issue.code === "invalid_type") return [WORDS[issue.expected] ?? issue.expected];
  if (issue.code === "invalid_value") return issue.values.map((value) => JSON.stringify(value));
  return [];
}

/** Returns the keys of the object at a path of a schema. */
function keysOf(schema: z.ZodMiniType, path: readonly PropertyKey[]): string[] {
  let at: unknown = schema;
  for (const key of path) at = child(at, key);
  const shape = (unwrap(at) as { shape?: object } | undefined)?.shape;
  return shape ? Object.keys(shape) : [];
}

interface Wrapped {
  readonly def?: { readonly innerType?: unknown };
}
const unwrap = (schema: unknown): unknown => {
  const inner = (schema as Wrapped | undefined)?.def?.innerType;
  return inner === undefined ? schema : unwrap(inner);
};

function child(schema: unknown, key: PropertyKey): unknown {
  const inner = unwrap(schema) as { shape?: Record<PropertyKey, unknown>; def?: { element?: unknown } };
  return inner?.shape?.[key] ?? inner?.def?.element;
}

const valueAt = (root: unknown, path: Path): unknown =>
  path.reduce<unknown>((at, key) => (at as Record<string | number, unknown> | undefined)?.[key], root);

const SHOWN_CHARACTERS = 60;
export function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}...` : text;
}
