/** `import { loadLabFile, runLab } from "wirelab"`: plays lab files and judges what they expect. */

export { LabFileError, type Problem } from "@wirelab/lab/file/problem";
export type { LabModel } from "@wirelab/lab/model/lab-model";
export { parseLabFile } from "@wirelab/lab/read/parse-lab-file";
export { readLab } from "@wirelab/lab/read/read-lab";
export type { LabReport, Verdict } from "@wirelab/lab/report/report";
export { loadLabFile } from "./load-lab-file.ts";
export { runLab } from "./run-lab.ts";
