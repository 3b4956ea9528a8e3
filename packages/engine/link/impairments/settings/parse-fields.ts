/** Checks values against the table of fields, and reports each problem with its path. */
import { type BpfLineCompiler, compileBpfText } from "../../filters/bpf-text.ts";
import type { Field, Fields } from "./fields.ts";
import { parseOpportunities, parsePackets, parseTable } from "./lists.ts";
import { parseChancePpb, parseRateBps, parseSizeBytes, parseTimeNs } from "./quantities.ts";

export interface ImpairmentProblem {
  /** The path in the client's object. */
  readonly path: readonly (string | number)[];
  /** Without the path: `must be from 0% to 100%, got 120.` */
  readonly message: string;
}

export interface Checking {
  readonly problems: ImpairmentProblem[];
  readonly compileBpf: BpfLineCompiler | undefined;
}

export type Path = readonly (string | number)[];

const MAX_SHOWN = 40;

/** Returns a client's value as short text. */
export function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length <= MAX_SHOWN ? text : `${text.slice(0, MAX_SHOWN)}...`;
}

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export function reportUnknown(
  data: object,
  known: readonly string[],
  path: Path,
  { problems }: Checking,
): void {
  for (const key of Object.keys(data)) {
    if (!known.includes(key))
      problems.push({ path: [...path, key], message: `is unknown; there are ${known.join(", ")}.` });
  }
}

/** Parses an object of fields; undefined after it has reported why not. Fields that are absent or null have their defaults. */
export function parseFields(
  fields: Fields,
  data: Readonly<Record<string, unknown>>,
  path: Path,
  checking: Checking,
): Record<string, unknown> {
  const parsed: Record<string, unknown> = {};
  reportUnknown(data, Object.keys(fields), path, checking);
  for (const [name, field] of Object.entries(fields)) {
    const value = Object.hasOwn(data, name) ? data[name] : undefined;
    if (value !== undefined && value !== null) {
      const result = parseField(field, value, [...path, name], checking);
      if (result !== undefined) parsed[name] = result;
    } else if ("otherwise" in field && field.otherwise !== undefined) parsed[name] = field.otherwise;
    else if ("required" in field && field.required)
      checking.problems.push({ path: [...path, name], message: "is required." });
  }
  return parsed;
}

/** @returns undefined after it has reported why the value is wrong. */
export function parseField(field: Field, value: unknown, path: Path, checking: Checking): unknown {
  const fail = (message: string): undefined => void checking.problems.push({ path, message });
  switch (field.kind) {
    case "group": {
      if (isObject(value)) return parseFields(field.fields, value, path, checking);
      if (field.main === undefined) return fail(`must be an object, got ${shown(value)}.`);
      return parseFields(field.fields, { [field.main]: value }, path, { ...checking });
    }
    case "choice":
      return typeof value === "string" && field.of.includes(value)
        ? value
        : fail(`must be one of ${field.of.join(", ")}, got ${shown(value)}.`);
    case "boolean":
      return typeof value === "boolean" ? value : fail(`must be true or false, got ${shown(value)}.`);
    case "filter":
      return parseFilter(value, fail, checking.compileBpf);
    case "packets":
      return (
        parsePackets(value) ??
        fail(`must be a list of packet numbers or ranges "10-12", got ${shown(value)}.`)
      );
    case "table":
      return (
        parseTable(value) ??
        fail("must be a distribution in netem's format: 1 to 65536 integers from -32768 to 32767.")
      );
    case "opportunities":
      return (
        parseOpportunities(value) ??
        fail(
          "must be a mahimahi trace: 1 to 200000 times in milliseconds, in ascending order, the last above 0.",
        )
      );
    default:
      return parseNumber(field, value, fail);
  }
}

type Measure = Extract<Field, { min: number }>;

const PARSERS: Readonly<Record<string, (value: number | string) => number | undefined>> = {
  time: parseTimeNs,
  chance: parseChancePpb,
  rate: parseRateBps,
  size: parseSizeBytes,
  integer: (value) =>
    Number.isSafeInteger(Number(value)) && String(value).trim() !== "" ? Number(value) : undefined,
  number: (value) =>
    Number.isFinite(Number(value)) && String(value).trim() !== "" ? Number(value) : undefined,
};

const FORMATS: Readonly<Record<string, string>> = {
  time: "a time such as 20ms or 12.5us, in whole nanoseconds; a number alone is milliseconds",
  chance: "a percentage in steps of 0.0000001%",
  rate: "a rate such as 10mbit; a number alone is bits a second",
  size: "a size such as 1500 or 32kB, in bytes",
  integer: "an integer",
  number: "a number",
};

const SHOWN: Readonly<Record<string, (value: number) => string>> = {
  time: (ns) => `${ns / 1e6}ms`,
  chance: (ppb) => `${ppb / 1e7}%`,
  rate: (bits) => `${bits}bit`,
};

function parseNumber(
  field: Measure,
  value: unknown,
  fail: (message: string) => undefined,
): number | undefined {
  const { kind, min, max } = field;
  const number = typeof value === "number" || typeof value === "string" ? PARSERS[kind]?.(value) : undefined;
  if (number !== undefined && number >= min && number <= max) return number;
  const show = SHOWN[kind] ?? String;
  return fail(`must be ${FORMATS[kind]}, from ${show(min)} to ${show(max)}; got ${shown(value)}.`);
}

function parseFilter(
  value: unknown,
  fail: (message: string) => undefined,
  compileBpf: BpfLineCompiler | undefined,
): unknown {
  if (typeof value !== "string") return fail(`must be text, got ${shown(value)}.`);
  const { predicates, problems } = compileBpfText(value, compileBpf);
  for (const { reason } of problems) fail(`${reason}.`);
  if (problems.length > 0) return undefined;
  return predicates.length > 0 ? { filter: value, predicates } : fail("must have an expression.");
}
