/**
 * Checks a link's filter settings, from the client's JSON to typed values. Only this module knows the allowed values.
 *
 *     {"packet_loss": ["10"], "delay": [100, "5"], "corrupt": [0]}  ->  {packet_loss: [10], delay: [100, 5]}
 */

import { type BpfLineCompiler, compileBpfText } from "./bpf-text.ts";
import {
  FILTER_DESCRIPTORS,
  type FilterDescriptor,
  type IntParameter,
  type TextParameter,
} from "./descriptors.ts";
import type { PacketPredicate } from "./link-filter.ts";

export { type BpfLineCompiler, MAX_BPF_TEXT_CHARACTERS } from "./bpf-text.ts";
export { FILTER_DESCRIPTORS, type FilterDescriptor, type SettableFilterType } from "./descriptors.ts";

/** Checked settings, in the descriptors' order. A filter that is off is absent; `bpf` is trimmed at both ends. */
export interface FilterSettings {
  frequency_drop?: [frequency: number];
  packet_loss?: [chancePct: number];
  delay?: [latencyMs: number] | [latencyMs: number, jitterMs: number];
  corrupt?: [chancePct: number];
  bpf?: [text: string];
}

/** One problem. `message` is self-contained: it names the filter and, if one is at fault, the parameter. */
export interface FilterProblem {
  /** The path in the client's object: [filter], or [filter, index of the value]; empty for the object itself. */
  path: (string | number)[];
  /** The filter's type as the client wrote it; empty if the whole object is wrong. */
  filter: string;
  parameter?: string | undefined;
  /** For a bpf expression: the position in the client's text, both 1-based. */
  line?: number;
  column?: number;
  message: string;
}

export type FilterSettingsResult =
  | { ok: true; settings: FilterSettings; bpfPredicates: PacketPredicate[] }
  | { ok: false; problems: FilterProblem[] };

export interface ParseFilterOptions {
  /** Compiles one expression; throws an error with `line`, `column` and `message`. Without it, bpf is rejected. */
  compileBpf?: BpfLineCompiler;
}

type Checked<T> = { ok: true; value: T } | { ok: false; reason: string };

const DESCRIPTOR_BY_TYPE = new Map<string, FilterDescriptor>(
  FILTER_DESCRIPTORS.map((entry) => [entry.type, entry]),
);
const DECIMAL_INTEGER = /^[+-]?[0-9]+$/;
const DECIMAL_FRACTION = /^[+-]?(?:[0-9]+[.,][0-9]*|[.,][0-9]+)$/;
const MAX_QUOTED_CHARACTERS = 40;

/**
 * Checks the API's filters object. Values are integers or decimal text, optionally surrounded by white space. A filter
 * without values, or whose first value is 0 or empty text, is off: the result omits it, but its values are checked too.
 * Reports every problem, not only the first.
 */
export function parseFilterSettings(input: unknown, options: ParseFilterOptions = {}): FilterSettingsResult {
  if (typeof input !== "object" || input === null || Array.isArray(input)) {
    const message = "filters: expected an object of filter types, each with an array of values";
    return { ok: false, problems: [{ path: [], filter: "", message }] };
  }
  const given = new Map<string, unknown>(Object.entries(input));
  const problems = [...given.keys()].filter((type) => !DESCRIPTOR_BY_TYPE.has(type)).map(unknownFilter);
  const parsed: [string, (number | string)[]][] = [];
  for (const descriptor of FILTER_DESCRIPTORS) {
    if (!given.has(descriptor.type)) continue;
    const values = parseValues(descriptor, given.get(descriptor.type), problems);
    if (values !== undefined && !isOff(values)) parsed.push([descriptor.type, values]);
  }
  const settings = Object.fromEntries(parsed) as FilterSettings;
  const bpfPredicates = compileBpf(settings, given.get("bpf"), options, problems);
  return problems.length > 0 ? { ok: false, problems } : { ok: true, settings, bpfPredicates };
}

const isOff = ([first]: readonly (number | string)[]): boolean =>
  first === undefined || first === 0 || first === "";

/** Returns one filter's values; if they are wrong, adds to `problems` and returns undefined. */
function parseValues(
  descriptor: FilterDescriptor,
  values: unknown,
  problems: FilterProblem[],
): (number | string)[] | undefined {
  const { type, parameters } = descriptor;
  if (!Array.isArray(values)) {
    problems.push({
      path: [type],
      filter: type,
      message: `${type}: expected an array of values, got ${quote(values)}`,
    });
    return undefined;
  }
  const problemsBefore = problems.length;
  if (values.length > parameters.length) problems.push(tooMany(descriptor, values.length));
  const parsed: (number | string)[] = [];
  for (const [index, parameter] of parameters.slice(0, values.length).entries()) {
    const checked = parseValue(parameter, values[index]);
    if (checked.ok) parsed.push(checked.value);
    else {
      const message = `${type}: ${parameter.name} ${checked.reason}`;
      problems.push({ path: [type, index], filter: type, parameter: parameter.name, message });
    }
  }
  return problems.length === problemsBefore ? parsed : undefined;
}

function parseValue(parameter: IntParameter | TextParameter, value: unknown): Checked<number | string> {
  if (parameter.type === "int") return parseInteger(parameter, value);
  if (typeof value !== "string") return { ok: false, reason: `must be text, got ${quote(value)}` };
  return { ok: true, value: value.trim() };
}

function parseInteger(parameter: IntParameter, value: unknown): Checked<number> {
  const { minimum, maximum, unit } = parameter;
  const number = toInteger(value);
  if (number !== undefined && number >= minimum && number <= maximum) return { ok: true, value: number };
  const hint = number === undefined && isFraction(value) ? "; fractions are not supported" : "";
  const reason = `must be an integer from ${minimum} to ${maximum} (${unit}), got ${quote(value)}${hint}`;
  return { ok: false, reason };
}

/** Returns the integer a client's value denotes, -0 as 0; undefined for anything else. */
function toInteger(value: unknown): number | undefined {
  if (typeof value === "number") return Number.isInteger(value) ? value + 0 : undefined;
  if (typeof value !== "string" || !DECIMAL_INTEGER.test(value.trim())) return undefined;
  return Number(value) + 0;
}

/** Returns true for a number, or its text with a point or a comma, that is not an integer. */
function isFraction(value: unknown): boolean {
  return typeof value === "number"
    ? Number.isFinite(value)
    : typeof value === "string" && DECIMAL_FRACTION.test(value.trim());
}

/** Compiles the bpf text untrimmed, so that positions refer to the client's text. */
function compileBpf(
  settings: FilterSettings,
  sent: unknown,
  options: ParseFilterOptions,
  problems: FilterProblem[],
): PacketPredicate[] {
  if (settings.bpf === undefined) return [];
  const compiled = compileBpfText(String((sent as unknown[])[0]), options.compileBpf);
  const parameter = DESCRIPTOR_BY_TYPE.get("bpf")?.parameters[0]?.name;
  for (const { reason, ...position } of compiled.problems) {
    const message = `bpf: ${parameter} ${reason}`;
    problems.push({ path: ["bpf", 0], filter: "bpf", parameter, ...position, message });
  }
  return compiled.predicates;
}

function unknownFilter(type: string): FilterProblem {
  const known = FILTER_DESCRIPTORS.map((descriptor) => descriptor.type).join(", ");
  return { path: [type], filter: type, message: `unknown filter ${quote(type)}; the filters are ${known}` };
}

function tooMany(descriptor: FilterDescriptor, count: number): FilterProblem {
  const { type, parameters } = descriptor;
  const names = parameters.map((parameter) => parameter.name).join(", ");
  const allowed = parameters.length === 1 ? "1 value" : `1 to ${parameters.length} values`;
  const message = `${type}: takes ${allowed} (${names}), or none to switch it off, got ${count}`;
  return { path: [type], filter: type, parameter: parameters.at(-1)?.name, message };
}

/** Returns a client's value as short text for a message. */
function quote(value: unknown): string {
  if (Array.isArray(value)) return "an array";
  if (typeof value === "object" && value !== null) return "an object";
  const text = typeof value === "string" ? JSON.stringify(value) : String(value);
  return text.length <= MAX_QUOTED_CHARACTERS ? text : `${text.slice(0, MAX_QUOTED_CHARACTERS)}...`;
}
