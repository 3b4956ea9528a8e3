/**
 * JSON: `{exit_code, cut, labs: [{file, name, problem, expectations, distinct_runs, cases: [{seed, failures, report, pairs, findings, ...}]}]}`.
 * `report` is a LabReport; `cut` is true if `--bail` ended the run early. Fields without a value are absent.
 */
import { exitCodeOf, type LabResult, type TestResult } from "../result.ts";
import { countDistinct } from "./variation.ts";

const toJson = ({ cases, ...lab }: LabResult) => ({
  ...lab,
  distinct_runs: countDistinct({ ...lab, cases }),
  cases,
});

export const formatJson = (result: TestResult): string =>
  `${JSON.stringify({ exit_code: exitCodeOf(result), cut: result.isCut, labs: result.labs.map(toJson) }, null, 2)}\n`;
