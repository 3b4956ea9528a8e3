/** Code that is loaded with the first lab. */
export { captureLab } from "@wirelab/lab/capture/capture-lab";
export { DEFAULT_LIMITS } from "@wirelab/lab/play/run-stage";
export { toWire } from "@wirelab/lab/report/wire";
export { runLab } from "@wirelab/lab/run-lab";
export { applyFailures } from "@wirelab/lab/sweep/failures";
export { readFailures } from "./read-failures.ts";
export { readModel } from "./read-model.ts";
export { countCases, makeCases } from "./sweep-cases.ts";
