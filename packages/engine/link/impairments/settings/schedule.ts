/**
 * Schedules: settings that change in lab time.
 *
 *     [{"at": "10s", "set": {"both": {"loss": "5%"}}},                                        a step
 *      {"at": "20s", "over": "10s", "every": "100ms", "set": {"a_to_b": {"rate": "1mbit"}}},   a ramp
 *      {"at": "40s", "flap": {"down": "2s", "up": "8s", "times": 3}},                          a cable that is pulled
 *      {"at": "0s", "csv": "time,rate,delay,loss\n0s,10mbit,20ms,0\n", "direction": "a_to_b"}] a trace
 */
import {
  type Impairments,
  type LinkSettings,
  NO_IMPAIRMENTS,
  type SettingsChange,
} from "./direction-settings.ts";
import { type Checking, isObject, type Path, parseField, reportUnknown, shown } from "./parse-fields.ts";
import { applyPatch, interpolate, type Patch } from "./patch.ts";
import { readTraceRows } from "./trace-rows.ts";

export const MAX_CHANGES = 100_000;
/** The longest run. */
const MAX_NS = 104 * 24 * 3_600_000_000_000;
const DEFAULT_STEPS = 20;
const KEYS = ["at", "set", "over", "every", "flap", "csv", "direction"];
const DIRECTIONS = ["both", "a_to_b", "b_to_a"];

type ParsePatch = (input: Readonly<Record<string, unknown>>, path: Path, checking: Checking) => Patch;

/** A change whose settings depend on those before it. */
interface Step {
  readonly atNs: number;
  readonly change: (before: LinkSettings) => LinkSettings;
}

export function parseSchedule(
  input: unknown,
  repeat: unknown,
  initial: LinkSettings,
  checking: Checking,
  parsePatch: ParsePatch,
): Pick<Impairments, "changes" | "repeatNs"> {
  const none = { changes: [], repeatNs: 0 };
  if (input === undefined || input === null) {
    if (repeat !== undefined && repeat !== null)
      checking.problems.push({ path: ["repeat"], message: "needs a schedule." });
    return none;
  }
  if (!Array.isArray(input)) {
    checking.problems.push({
      path: ["schedule"],
      message: `must be a list of changes, got ${shown(input)}.`,
    });
    return none;
  }
  const before = checking.problems.length;
  const steps = input.flatMap((entry, index) => parseEntry(entry, ["schedule", index], checking, parsePatch));
  const repeatNs =
    repeat === undefined || repeat === null ? 0 : parseTime(repeat, ["repeat"], checking, 1_000_000);
  if (checking.problems.length > before) return none;
  if (steps.length > MAX_CHANGES) {
    checking.problems.push({
      path: ["schedule"],
      message: `must have at most ${MAX_CHANGES} changes, got ${steps.length}.`,
    });
    return none;
  }
  const ordered = [...steps].sort((a, b) => a.atNs - b.atNs);
  if (repeatNs > 0 && (ordered.at(-1)?.atNs ?? 0) >= repeatNs) {
    checking.problems.push({ path: ["repeat"], message: "must be longer than the time of the last change." });
    return none;
  }
  return { changes: settle(ordered, initial, repeatNs), repeatNs };
}

/** Computes the settings after each step. A repeated schedule begins each cycle with the initial settings. */
function settle(steps: readonly Step[], initial: LinkSettings, repeatNs: number): SettingsChange[] {
  let settings = initial;
  const changes: SettingsChange[] = repeatNs > 0 && steps[0]?.atNs !== 0 ? [{ atNs: 0, settings }] : [];
  for (const { atNs, change } of steps) {
    settings = change(settings);
    if (changes.at(-1)?.atNs === atNs) changes.pop();
    changes.push({ atNs, settings });
  }
  return changes;
}

function parseEntry(entry: unknown, path: Path, checking: Checking, parsePatch: ParsePatch): Step[] {
  const fail = (at: readonly (string | number)[], message: string): Step[] => {
    checking.problems.push({ path: [...path, ...at], message });
    return [];
  };
  if (!isObject(entry)) return fail([], `must be an object, got ${shown(entry)}.`);
  reportUnknown(entry, KEYS, path, checking);
  const { at, set, over, every, flap, csv, direction = "both" } = entry;
  if ([set, flap, csv].filter((each) => each !== undefined).length !== 1)
    return fail([], "must have one of set, flap and csv.");
  const atNs = at === undefined ? 0 : parseTime(at, [...path, "at"], checking);
  if (flap !== undefined) return parseFlap(flap, atNs, [...path, "flap"], checking);
  if (csv !== undefined) {
    if (typeof direction !== "string" || !DIRECTIONS.includes(direction))
      return fail(["direction"], `must be one of ${DIRECTIONS.join(", ")}, got ${shown(direction)}.`);
    return readTraceRows(csv, [...path, "csv"], checking).map(({ time, settings, place }) => {
      const patch = parsePatch({ [direction]: settings }, place, checking);
      const rowNs = parseTime(time, [...place, "time"], checking);
      return { atNs: atNs + rowNs, change: (before) => applyPatch(before, patch) };
    });
  }
  if (!isObject(set)) return fail(["set"], `must be an object, got ${shown(set)}.`);
  reportUnknown(set, [...DIRECTIONS, "carrier"], [...path, "set"], checking);
  const patch = parsePatch(set, [...path, "set"], checking);
  if (over === undefined) return [{ atNs, change: (before) => applyPatch(before, patch) }];
  const overNs = parseTime(over, [...path, "over"], checking, 1);
  const everyNs =
    every === undefined
      ? Math.ceil(overNs / DEFAULT_STEPS)
      : parseTime(every, [...path, "every"], checking, 1);
  if (overNs / everyNs > MAX_CHANGES) return fail(["every"], `makes more than ${MAX_CHANGES} changes.`);
  return makeRamp(atNs, overNs, everyNs, patch);
}

function makeRamp(atNs: number, overNs: number, everyNs: number, patch: Patch): Step[] {
  const count = Math.ceil(overNs / everyNs);
  let from: LinkSettings = NO_IMPAIRMENTS.initial;
  return Array.from({ length: count + 1 }, (_, index) => {
    const afterNs = Math.min(index * everyNs, overNs);
    return {
      atNs: atNs + afterNs,
      change: (before: LinkSettings) => {
        if (index === 0) from = before;
        return applyPatch(before, index === count ? patch : interpolate(from, patch, afterNs / overNs));
      },
    };
  });
}

function parseFlap(input: unknown, atNs: number, path: Path, checking: Checking): Step[] {
  if (!isObject(input)) {
    checking.problems.push({
      path,
      message: `must be an object of down, up and times, got ${shown(input)}.`,
    });
    return [];
  }
  reportUnknown(input, ["down", "up", "times"], path, checking);
  const { down, up, times = 1 } = input;
  const downNs = parseTime(down, [...path, "down"], checking, 1);
  const upNs = up === undefined ? 0 : parseTime(up, [...path, "up"], checking);
  const isCount = typeof times === "number" && Number.isInteger(times) && times >= 1 && times <= 10_000;
  if (!isCount) {
    checking.problems.push({
      path: [...path, "times"],
      message: `must be an integer from 1 to 10000, got ${shown(times)}.`,
    });
    return [];
  }
  const carrier = (state: "up" | "down") => (before: LinkSettings) => ({ ...before, carrier: state });
  return Array.from({ length: times }, (_, index) => {
    const startNs = atNs + index * (downNs + upNs);
    return [
      { atNs: startNs, change: carrier("down") },
      { atNs: startNs + downNs, change: carrier("up") },
    ];
  }).flat();
}

function parseTime(value: unknown, path: Path, checking: Checking, min = 0): number {
  const parsed = parseField({ kind: "time", min, max: MAX_NS, about: "" }, value, path, checking);
  return typeof parsed === "number" ? parsed : 0;
}
