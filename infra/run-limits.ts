/**
 * The limits of a run, from the context: `-c run_max_events=100000`. Limits that it does not name have the function's defaults
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

/** Part of the function's time for the commit and the response: RESERVE_MS of functions/shared/run/limits.ts. */
const RESERVE_SECONDS = 6;

/**
 * The function ends a run when only the reserve of its time is left, so a limit at or above this bound would never be
 * reached. Opening a project has more time (`projects`), and the same limit.
 */
export const CPU_SECONDS_BELOW = ACCESS.runs!.timeoutSeconds - RESERVE_SECONDS;

const BELOW: Readonly<Partial<Record<string, number>>> = { run_max_cpu_seconds: CPU_SECONDS_BELOW };

/** The groups whose functions run labs: `projects` starts the nodes of an opened project. */
export const RUNS_LABS: ReadonlySet<string> = new Set(["runs", "projects"]);

/** @throws Error for a limit that is not a number above 0, or that no run could reach. */
export function runLimits(node: Node): Record<string, string> {
  const given = Object.entries(VARIABLES).flatMap(([key, variable]): [string, string][] => {
    const value: unknown = node.tryGetContext(key);
    if (value === undefined) return [];
    const below = BELOW[key];
    if (!(Number(value) > 0 && Number(value) < (below ?? Number.POSITIVE_INFINITY)))
      throw new Error(`The context ${key} is ${value}; it has to be a number above 0${endOf(below)}`);
    return [[variable, String(value)]];
  });
  return Object.fromEntries(given);
}

const endOf = (below: number | undefined): string =>
  below === undefined ? "" : ` and below ${below}, the function's time without what the commit needs`;
