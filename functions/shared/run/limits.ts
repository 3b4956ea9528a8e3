/** The limits of a run: defaults that fit the 29 seconds of API Gateway, or the stack's settings. */
import type { RunLimits } from "@wirelab/engine/simulation/limits";

export interface LabLimits extends RunLimits {
  readonly cpuSeconds: number;
}

/**
 * Part of the function's time that is reserved for the commit and the response: a run that has not ended by then is rolled back. The
 * context cannot set a computing limit above the rest (infra/run-limits.ts).
 */
export const RESERVE_MS = 6_000;

/** The environment variable of each limit; infra/ sets those that its context names. */
const VARIABLES = {
  events: "RUN_MAX_EVENTS",
  packets: "RUN_MAX_PACKETS",
  cpuSeconds: "RUN_MAX_CPU_SECONDS",
  capturedBytes: "RUN_MAX_CAPTURED_BYTES",
  bytesInFlight: "RUN_MAX_BYTES_IN_FLIGHT",
  outputCharacters: "RUN_MAX_OUTPUT_CHARACTERS",
  labSeconds: "RUN_MAX_LAB_SECONDS",
} as const satisfies Record<keyof LabLimits, string>;

const DEFAULTS: LabLimits = {
  events: 5_000_000,
  packets: 1_000_000,
  cpuSeconds: 15,
  capturedBytes: 67_108_864,
  bytesInFlight: 268_435_456,
  outputCharacters: 1_000_000,
  labSeconds: 7 * 86_400,
};

/** @throws Error when a variable is set and is not a positive number. */
export function labLimits(): LabLimits {
  const entries = Object.entries(VARIABLES).map(([name, variable]) => {
    const text = process.env[variable];
    if (text === undefined || text === "") return [name, DEFAULTS[name as keyof LabLimits]];
    const value = Number(text);
    if (!(value > 0)) throw new Error(`${variable} must be a number above 0, got ${text}`);
    return [name, value];
  });
  return Object.fromEntries(entries) as LabLimits;
}

/** Returns the limits of the stack, and those of a kind of run where they are lower. */
export function labLimitsBelow(lower: Partial<LabLimits>): LabLimits {
  const entries = Object.entries(labLimits()).map(([name, limit]) => [
    name,
    Math.min(limit, lower[name as keyof LabLimits] ?? limit),
  ]);
  return Object.fromEntries(entries) as LabLimits;
}
