/** What a call of `wirelab test` found out. Reporters read it; the reporter `json` writes it. */
import type { LabReport } from "@wirelab/lab/report/report";
import type { Failure } from "@wirelab/lab/sweep/failures";

/** A lab with one seed and one combination of failures. */
export interface CaseSettings {
  /** Undefined for the lab's own. */
  readonly seed: string | undefined;
  readonly failures: readonly Failure[];
}

/** What explains a failed expectation beyond its verdict. */
export interface Finding {
  /** The position of the expectation in the report's verdicts. */
  readonly verdict: number;
  /** Path of a pcapng with the frames of all links. */
  readonly capture: string | undefined;
  /** A command line that shows the failure again. */
  readonly command: string;
  readonly shrunk: Shrunk | undefined;
}

/** The smallest timeline that was found for which the same expectation fails. */
export interface Shrunk {
  /** `seed`, `run` and `duration` of a lab file. */
  readonly yaml: string;
  readonly events: number;
  readonly failures: readonly Failure[];
  /** Runs that it took. */
  readonly runs: number;
}

export interface CaseResult extends CaseSettings {
  readonly report: LabReport;
  /** Whether the PCs reach each other, by pair; with `--matrix`. */
  readonly pairs: readonly PairResult[];
  readonly wallMs: number;
  readonly findings: readonly Finding[];
  /** What the lab has collected from its nodes; absent if it collects nothing. */
  readonly files?: readonly KeptFile[];
}

/** A file of a node that was written beside the captures. */
export interface KeptFile {
  readonly node: string;
  /** In the node, without a slash at its beginning. */
  readonly path: string;
  /** Path of the copy. */
  readonly file: string;
  readonly bytes: number;
}

interface PairResult {
  readonly from: string;
  readonly to: string;
  readonly isReached: boolean;
}

export interface LabResult {
  readonly file: string;
  readonly name: string;
  /** The problems of the file, one on each line; such a lab has no cases. */
  readonly problem: string | undefined;
  /** Remarks about a file that was played. */
  readonly warnings: readonly string[];
  readonly expectations: number;
  readonly cases: readonly CaseResult[];
}

export interface TestResult {
  readonly labs: readonly LabResult[];
  /** True if `--bail` ended the run before all was played. */
  readonly isCut: boolean;
}

export const EXIT = { passed: 0, failed: 1, undecided: 2, nothing: 3 } as const;

/** A failure decides, even if something else could not be found out. */
export function exitCodeOf({ labs }: TestResult): number {
  const statuses = labs.flatMap(({ cases }) => cases.map(({ report }) => report.status));
  if (statuses.includes("failed")) return EXIT.failed;
  if (statuses.includes("undecided") || labs.some(({ problem }) => problem !== undefined))
    return EXIT.undecided;
  return statuses.length === 0 ? EXIT.nothing : EXIT.passed;
}
