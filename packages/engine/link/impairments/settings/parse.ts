/**
 * Checks a link's impairments, from the client's JSON to the engine's units:
 *
 *     {"both": {"delay": "20ms", "loss": "1%"}, "a_to_b": {"rate": "10mbit"}}
 *
 * A direction has what `both` says, except for the impairments that its own object names; null removes one.
 */
import type { BpfLineCompiler } from "../../filters/bpf-text.ts";
import {
  type Impairments,
  type LinkSettings,
  NO_IMPAIRMENTS,
  PPB,
  type Queue,
} from "./direction-settings.ts";
import { DIRECTION_FIELDS, type Field } from "./fields.ts";
import {
  type Checking,
  type ImpairmentProblem,
  isObject,
  parseField,
  reportUnknown,
  shown,
} from "./parse-fields.ts";
import { applyPatch, type DirectionPatch, type Patch } from "./patch.ts";
import { PRESETS } from "./presets.ts";
import { parseSchedule } from "./schedule.ts";

export type ImpairmentsResult =
  | { readonly ok: true; readonly impairments: Impairments }
  | { readonly ok: false; readonly problems: readonly ImpairmentProblem[] };

export interface ParseImpairmentsOptions {
  /** Compiles an expression of `drop`; without it, `drop` is rejected. */
  readonly compileBpf?: BpfLineCompiler | undefined;
}

/** What a client sends: impairments by name, null for none. */
export type DirectionInput = Readonly<Record<string, unknown>>;

type Path = readonly (string | number)[];

const LINK_KEYS = ["preset", "both", "a_to_b", "b_to_a", "carrier", "schedule", "repeat"];

export function parseImpairments(input: unknown, options: ParseImpairmentsOptions = {}): ImpairmentsResult {
  const checking: Checking = { problems: [], compileBpf: options.compileBpf };
  const { problems } = checking;
  if (!isObject(input)) {
    return { ok: false, problems: [{ path: [], message: `must be an object, got ${shown(input)}.` }] };
  }
  reportUnknown(input, LINK_KEYS, [], checking);
  const preset = parsePreset(input.preset, checking);
  const initial = applyPatch(preset, parsePatch(input, [], checking));
  const schedule = parseSchedule(input.schedule, input.repeat, initial, checking, parsePatch);
  return problems.length > 0 ? { ok: false, problems } : { ok: true, impairments: { initial, ...schedule } };
}

function parsePreset(name: unknown, checking: Checking): LinkSettings {
  if (name === undefined || name === null) return NO_IMPAIRMENTS.initial;
  if (typeof name !== "string" || !Object.hasOwn(PRESETS, name)) {
    const known = Object.keys(PRESETS).join(", ");
    checking.problems.push({ path: ["preset"], message: `must be one of ${known}, got ${shown(name)}.` });
    return NO_IMPAIRMENTS.initial;
  }
  return applyPatch(NO_IMPAIRMENTS.initial, parsePatch(PRESETS[name]!.impairments, ["preset"], checking));
}

/** Parses `both`, `a_to_b`, `b_to_a` and `carrier`. */
function parsePatch(input: Readonly<Record<string, unknown>>, path: Path, checking: Checking): Patch {
  const both = parseDirection(input.both, [...path, "both"], checking);
  const one = (name: "a_to_b" | "b_to_a") => parseDirection(input[name], [...path, name], checking);
  const { carrier } = input;
  if (carrier !== undefined && carrier !== "up" && carrier !== "down")
    checking.problems.push({
      path: [...path, "carrier"],
      message: `must be up or down, got ${shown(carrier)}.`,
    });
  return {
    ...((carrier === "up" || carrier === "down") && { carrier }),
    "a-to-b": { ...both, ...one("a_to_b") },
    "b-to-a": { ...both, ...one("b_to_a") },
  };
}

function parseDirection(input: unknown, path: Path, checking: Checking): DirectionPatch {
  if (input === undefined || input === null) return {};
  if (!isObject(input)) {
    checking.problems.push({ path, message: `must be an object of impairments, got ${shown(input)}.` });
    return {};
  }
  const parsed: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(input)) {
    const where = [...path, name];
    const field: Field | undefined = Object.hasOwn(DIRECTION_FIELDS, name)
      ? DIRECTION_FIELDS[name]
      : undefined;
    if (field === undefined) {
      const known = Object.keys(DIRECTION_FIELDS).join(", ");
      checking.problems.push({ path: where, message: `is no impairment; there are ${known}.` });
    } else if (value === null) parsed[name] = null;
    else {
      const problems = checking.problems.length;
      const result = parseField(field, value, where, checking);
      if (checking.problems.length === problems) parsed[name] = complete(name, result, where, checking);
    }
  }
  return parsed;
}

/** Adds defaults that depend on other fields, and checks fields against each other. */
function complete(name: string, value: unknown, path: Path, { problems }: Checking): unknown {
  const fields = value as Record<string, number>;
  const complement = (of: number | undefined): number => PPB - (of ?? 0);
  if (name === "loss") {
    const { gilbert_elliott: elliott, markov } = value as Record<string, Record<string, number> | undefined>;
    if (elliott?.r === -1) elliott.r = complement(elliott.p);
    if (markov?.p31 === -1) markov.p31 = complement((markov.p13 ?? 0) + (markov.p32 ?? 0));
    if (markov && ((markov.p31 ?? 0) < 0 || (markov.p31 ?? 0) + (markov.p32 ?? 0) > PPB))
      problems.push({ path: [...path, "markov"], message: "must have p31 + p32 of at most 100%." });
    if (markov && (markov.p13 ?? 0) + (markov.p14 ?? 0) > PPB)
      problems.push({ path: [...path, "markov"], message: "must have p13 + p14 of at most 100%." });
  }
  if (name === "slots") {
    if (fields.max_delay === -1) fields.max_delay = fields.min_delay as number;
    if ((fields.max_delay as number) < (fields.min_delay as number))
      problems.push({ path: [...path, "max_delay"], message: "must not be less than min_delay." });
    if (fields.max_delay === 0) problems.push({ path: [...path, "max_delay"], message: "must be above 0." });
  }
  if (name === "rate" && fields.rate === 0 && fields.opportunities === undefined)
    problems.push({ path: [...path, "rate"], message: "is required, unless there are opportunities." });
  if (name === "rate" && fields.burst === 0 && (fields.peak_rate as number) > 0)
    problems.push({ path: [...path, "peak_rate"], message: "needs a burst." });
  if (
    name === "rate" &&
    (fields.peak_rate as number) > 0 &&
    (fields.peak_rate as number) < (fields.rate as number)
  )
    problems.push({ path: [...path, "peak_rate"], message: "must not be less than rate." });
  if (name === "queue") {
    const { min, max, discipline } = value as Queue;
    if (discipline === "red" && min >= max)
      problems.push({ path: [...path, "max"], message: "must be above min." });
  }
  if (name === "delay") {
    const isTable = (value as { distribution: string }).distribution === "table";
    if (isTable !== (fields.table !== undefined))
      problems.push({ path: [...path, "table"], message: "goes with distribution table, and only with it." });
  }
  return value;
}
