/** Figures of the stack that the simulation needs: defaults of settings, and times and units that the benchmarks have measured. */
import { SETTINGS } from "../../../infra/settings.ts";

export const DEFAULTS = {
  throttle_rate: Number(SETTINGS.throttle_rate.default),
  throttle_runs_rate: Number(SETTINGS.throttle_runs_rate.default),
  /** docs/cost.md: 87 GB-s of functions for 1,000 console calls, at 1,769 MB. */
  run_seconds: 0.05,
  /** docs/benchmarks.md: a request that reads a project. */
  read_seconds: 0.02,
  /** docs/cost.md: a call of the authorizer that hashes a password. */
  hash_seconds: 0.31,
  /** docs/cost.md: write units and changes of items of a console call with a capture. */
  run_units: 13.5,
  run_changes: 5,
  /** Assumed, not measured: a batch of 100 changes in projects that no client follows. */
  dispatch_seconds: 0.25,
} as const;
