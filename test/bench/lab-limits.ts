/** Limits that no lab of a bench reaches, and the clock at which it begins: 2026-01-01 UTC in microseconds. */
import type { RunLimits } from "@wirelab/engine/simulation/limits";

export const LIMITS: RunLimits = {
  events: 1e9,
  packets: 1e9,
  capturedBytes: 1e9,
  bytesInFlight: 1e9,
  outputCharacters: 1e9,
  labSeconds: 8e6,
};
export const START_US = 1_767_225_600_000_000;
