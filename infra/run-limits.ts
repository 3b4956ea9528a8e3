/**
 * The limits of a run, as the context sets them: `-c run_max_events=100000`. What it does not name has the function's own
 * default (functions/lab/limits.ts).
 */
import type { Node } from "constructs";
import type { ContextKey } from "./known-context.ts";

/** Context key -> environment variable. */
const VARIABLES = {
  run_max_events: "RUN_MAX_EVENTS",
  run_max_packets: "RUN_MAX_PACKETS",
  run_max_cpu_seconds: "RUN_MAX_CPU_SECONDS",
  run_max_captured_bytes: "RUN_MAX_CAPTURED_BYTES",
  run_max_bytes_in_flight: "RUN_MAX_BYTES_IN_FLIGHT",
  run_max_output_characters: "RUN_MAX_OUTPUT_CHARACTERS",
  run_max_lab_seconds: "RUN_MAX_LAB_SECONDS",
} as const satisfies Partial<Record<ContextKey, string>>;

/** The groups whose functions run labs: `projects` starts the nodes of one that is opened. */
export const RUNS_LABS: ReadonlySet<string> = new Set(["runs", "projects"]);

/** @throws Error for a limit that is no number above 0. */
export function runLimits(node: Node): Record<string, string> {
  const given = Object.entries(VARIABLES).flatMap(([key, variable]): [string, string][] => {
    const value: unknown = node.tryGetContext(key);
    if (value === undefined) return [];
    if (!(Number(value) > 0))
      throw new Error(`The context ${key} is ${value}; it has to be a number above 0`);
    return [[variable, String(value)]];
  });
  return Object.fromEntries(given);
}
