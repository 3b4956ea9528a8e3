/**
 * Reads the limits of a run from the context: `-c run_max_events=100000`. A missing key leaves the function's default
 * (functions/shared/run/limits.ts).
 */
import type { Node } from "constructs";
import { ACCESS } from "./access.ts";
import type { ContextKey } from "./known-context.ts";

/** Maps context keys to environment variables. */
const VARIABLES = {
  run_max_events: "RUN_MAX_EVENTS",
  run_max_packets: "RUN_MAX_PACKETS",
  run_max_cpu_seconds: "RUN_MAX_CPU_SECONDS",
  run_max_captured_bytes: "RUN_MAX_CAPTURED_BYTES",
  run_max_bytes_in_flight: "RUN_MAX_BYTES_IN_FLIGHT",
  run_max_output_characters: "RUN_MAX_OUTPUT_CHARACTERS",
  run_max_lab_seconds: "RUN_MAX_LAB_SECONDS",
} as const satisfies Partial<Record<ContextKey, string>>;

/** The part of the function's timeout for the commit and the response: RESERVE_MS of functions/shared/run/limits.ts. */
const RESERVE_SECONDS = 6;

/**
 * The function ends a run when only the reserve of its timeout is left, so no run reaches a limit at or above this bound.
 * The function `projects`, which opens projects, has a longer timeout and the same limit.
 */
export const CPU_SECONDS_BELOW = ACCESS.runs!.timeoutSeconds - RESERVE_SECONDS;

const BELOW: Readonly<Partial<Record<string, number>>> = { run_max_cpu_seconds: CPU_SECONDS_BELOW };

/** Route groups whose functions run labs; `projects` starts the nodes of an opened project. */
export const RUNS_LABS: ReadonlySet<string> = new Set(["runs", "projects"]);

/** @returns environment variables. @throws Error for a limit that is not a number above 0, or that no run can reach. */
export function runLimits(node: Node): Record<string, string> {
  const given = Object.entries(VARIABLES).flatMap(([key, variable]): [string, string][] => {
    const value: unknown = node.tryGetContext(key);
    if (value === undefined) return [];
    const below = BELOW[key];
    if (!(Number(value) > 0 && Number(value) < (below ?? Number.POSITIVE_INFINITY)))
      throw new Error(`The context key ${key} is ${value}; it must be a number above 0${endOf(below)}`);
    return [[variable, String(value)]];
  });
  return Object.fromEntries(given);
}

const endOf = (below: number | undefined): string =>
  below === undefined ? "" : ` and below ${below}, the function's timeout minus the time for the commit`;
