/** The limits of a run: defaults that fit the 29 seconds of API Gateway, or the stack's settings. */
import type { RunLimits } from "@wirelab/engine/simulation/limits";
import { type FigureName, figure } from "../edge/figures.ts";

export interface LabLimits extends RunLimits {
  readonly cpuSeconds: number;
}

/**
 * Part of the function's time that is reserved for the commit and the response: a run that has not ended by then is rolled back. The
 * context cannot set a computing limit above the rest (infra/settings.ts).
 */
export const RESERVE_MS = 6_000;

/** The setting of each limit. */
const NAMES = {
  events: "run_max_events",
  packets: "run_max_packets",
  cpuSeconds: "run_max_cpu_seconds",
  capturedBytes: "run_max_captured_bytes",
  bytesInFlight: "run_max_bytes_in_flight",
  outputCharacters: "run_max_output_characters",
  labSeconds: "run_max_lab_seconds",
} as const satisfies Record<keyof LabLimits, FigureName>;

/**
 * @param lower limits of a run that hold if they are below those of the stack.
 * @throws Error when a setting is out of bounds.
 */
export function labLimits(lower: Partial<LabLimits> = {}): LabLimits {
  const entries = Object.entries(NAMES).map(([limit, name]) => {
    return [limit, Math.min(figure(name), lower[limit as keyof LabLimits] ?? Number.POSITIVE_INFINITY)];
  });
  return Object.fromEntries(entries) as LabLimits;
}
