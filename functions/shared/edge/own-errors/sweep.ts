import { define, type Facts } from "../error-definition.ts";

export const SWEEP_ERRORS = {
  "sweep.not-found": define(404, (f: Facts<"sweep_id">) => `Sweep ID ${f.sweep_id} doesn't exist`),
  "sweep.running": define(
    409,
    (f: Facts<"sweep_id">) => `Sweep ${f.sweep_id} of yours still runs; wait, or delete it`,
  ),
} as const;
