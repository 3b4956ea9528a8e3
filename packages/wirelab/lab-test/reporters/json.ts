/**
 * JSON: `{exit_code, cut, labs: [{file, name, problem, expectations, cases: [{seed, failures, report, pairs, findings, ...}]}]}`.
 * `report` is a LabReport; `cut` is true if `--bail` ended the run early. Fields without a value are absent.
 */
import { exitCodeOf, type TestResult } from "../result.ts";

export const formatJson = (result: TestResult): string =>
  `${JSON.stringify({ exit_code: exitCodeOf(result), cut: result.isCut, labs: result.labs }, null, 2)}\n`;
