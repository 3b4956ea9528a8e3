import { define, type Facts } from "../error-definition.ts";

/** Errors of the helper virtual machine. */
export const SIMVM_ERRORS = {
  "simvm.vm-not-found": define(
    409,
    (f: Facts<"engine" | "vmname">) => `The ${f.engine} engine has no virtual machine named ${f.vmname}`,
  ),
  "simvm.refused": define(409, (f: Facts<"words">) => `${f.words}`),
  "simvm.unavailable": define(503, (f: Facts<"words">) => `${f.words}`),
  "simvm.engine-not-found": define(404, (f: Facts<"engine">) => `Engine ${f.engine} doesn't exist`),
} as const;
