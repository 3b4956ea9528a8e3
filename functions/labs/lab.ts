/** Code that is loaded with the first lab. */
export { DEFAULT_LIMITS } from "@wirelab/lab/play/run-stage";
export { runLab } from "@wirelab/lab/run-lab";
export { applyFailures } from "@wirelab/lab/sweep/failures";
export { ANY_IMAGE, hasGuests } from "../shared/lab-file/lab-guests.ts";
export { playLabFile } from "../shared/lab-file/play-lab-file.ts";
export { readModel } from "../shared/lab-file/read-model.ts";
export { countCases, makeCases } from "./sweep-cases.ts";
