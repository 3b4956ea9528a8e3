import { define, type Facts } from "../error-definition.ts";

/** Errors of the routes of emulators and computes. */
export const EMULATOR_ERRORS = {
  "compute.name-taken": define(409, (f: Facts<"name">) => `Compute name "${f.name}" already exists`),
  "compute.builtin": define(
    409,
    (f: Facts<"compute_id">) => `Compute ${f.compute_id} is built in and cannot be changed`,
  ),
  "compute.action-not-found": define(404, (f: Facts<"path">) => `/compute/${f.path} not found`),
  "compute.not-emulated": define(
    409,
    (f: Facts<"emulator" | "compute_id">) => `Compute ${f.compute_id} does not run ${f.emulator}`,
  ),
} as const;
