/** Code that is loaded with the first lab. */
export { parseLabFile } from "@wirelab/lab/file/parse";
export { formatPath, LabFileError } from "@wirelab/lab/file/problem";
export { DEFAULT_LIMITS } from "@wirelab/lab/play/run-stage";
export { toWire } from "@wirelab/lab/report/wire";
export { runLab } from "@wirelab/lab/run-lab";
