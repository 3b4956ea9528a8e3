/** The limits of a run: defaults that fit the 29 seconds of API Gateway, or the stack's settings. */
import type { RunLimits } from "@wirelab/engine/simulation/limits";
import { figure, RUN_LIMITS } from "../edge/figures.ts";

export interface LabLimits extends RunLimits {
  readonly cpuSeconds: number;
}

/** The setting of each limit. */
const NAMES = {
  events: "run_max_events",
  packets: "run_max_packets",
  cpuSeconds: "run_max_cpu_seconds",
  capturedBytes: "run_max_captured_bytes",
  bytesInFlight: "run_max_bytes_in_flight",
  outputCharacters: "run_max_output_characters",
  labSeconds: "run_max_lab_seconds",
} as const satisfies Record<keyof LabLimits, keyof typeof RUN_LIMITS>;

/**
 * @param lower limits of a run that hold if they are below those of the stack.
 * @throws Error when the environment has a value that is not a number from 0 up.
 */
export function labLimits(lower: Partial<LabLimits> = {}): LabLimits {
  const entries = Object.entries(NAMES).map(([limit, name]) => {
    return [
      limit,
      Math.min(figure(RUN_LIMITS, name), lower[limit as keyof LabLimits] ?? Number.POSITIVE_INFINITY),
    ];
  });
  return Object.fromEntries(entries) as LabLimits;
}
