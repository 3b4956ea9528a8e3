import { LabFileError } from "@wirelab/lab/file/problem";
import { parseLabFile } from "@wirelab/lab/read/parse-lab-file";
import type { LabReport, Verdict } from "@wirelab/lab/report/report";
import { runLab } from "@wirelab/lab/run-lab";

/** Removes the indentation of a template literal. */
export function yaml(text: string): string {
  const lines = text.replace(/^\n/, "").split("\n");
  const indent = Math.min(
    ...lines.filter((line) => line.trim() !== "").map((line) => /^ */.exec(line)![0].length),
  );
  return lines.map((line) => line.slice(indent)).join("\n");
}

export const parse = (text: string) => parseLabFile(yaml(text), { name: "test", file: "test.lab.yaml" });

export const report = (text: string, seed?: string): LabReport =>
  runLab(parse(text), seed === undefined ? {} : { seed });

/** Runs a topology with expectations; returns the verdicts. */
export const verdicts = (topology: string, expectations: string): readonly Verdict[] =>
  report(`${yaml(topology)}\nexpect:\n${yaml(expectations)}`).verdicts;

/** The lines of the error that a file causes. */
export function problemsIn(text: string): string[] {
  try {
    parse(text);
  } catch (error) {
    if (error instanceof LabFileError) return error.message.split("\n");
    throw error;
  }
  return [];
}
