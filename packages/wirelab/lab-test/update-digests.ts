/** `--update`: writes the digests that were found into the lab files. */
import { writeFileSync } from "node:fs";
import { writeDigests } from "@wirelab/lab/file/write-digests";
import type { LabReport } from "@wirelab/lab/report/report";
import { toStatus } from "@wirelab/lab/run-lab";
import { onFile } from "../file-error.ts";
import type { LabResult, TestResult } from "./result.ts";
import type { ReadLab } from "./work.ts";

/** Returns the result in which the written digests hold. @param onWritten receives the path of each changed file. */
export const updateDigests = (
  labs: readonly ReadLab[],
  result: TestResult,
  onWritten: (file: string) => void,
): TestResult => ({
  ...result,
  labs: result.labs.map((lab, at) => updateLab(labs[at]!, lab, onWritten)),
});

function updateLab(
  { file, text, expectations }: ReadLab,
  lab: LabResult,
  onWritten: (file: string) => void,
): LabResult {
  const [played] = lab.cases;
  const wrong = (played?.report.verdicts ?? []).flatMap(({ kind, status }, index) =>
    kind === "digest" && status === "failed" ? [index] : [],
  );
  if (played === undefined || wrong.length === 0) return lab;
  const digests = new Map(wrong.map((index) => [expectations[index]!, played.report.digest]));
  onFile("write", file, () => writeFileSync(file, writeDigests(text, digests)));
  onWritten(file);
  return { ...lab, cases: [{ ...played, report: markWritten(played.report, wrong) }] };
}

function markWritten(report: LabReport, indexes: readonly number[]): LabReport {
  const verdicts = report.verdicts.map((verdict, index) =>
    indexes.includes(index) ? { ...verdict, status: "passed" as const, evidence: undefined } : verdict,
  );
  return { ...report, verdicts, status: toStatus(verdicts) };
}
