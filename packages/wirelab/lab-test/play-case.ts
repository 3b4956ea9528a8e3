/** Plays one case of a lab: the same in the main thread and in a worker. */
import type { LabModel } from "@wirelab/lab/model/lab-model";
import { runLab, toStatus } from "@wirelab/lab/run-lab";
import { applyFailures } from "@wirelab/lab/sweep/failures";
import { expectAllPairs, pairsOfPcs } from "@wirelab/lab/sweep/reachability";
import { expectationsOf } from "./expectations.ts";
import type { CaseResult, CaseSettings } from "./result.ts";

/** @param model with the expectations that are judged. */
export function playCase(
  model: LabModel,
  { seed, failures }: CaseSettings,
  { hasMatrix }: { readonly hasMatrix: boolean },
): CaseResult {
  const startMs = performance.now();
  const own = expectationsOf(model, { seed, failures });
  const expectations = hasMatrix ? [...own, ...expectAllPairs(model)] : own;
  const report = runLab(
    applyFailures({ ...model, expectations }, failures),
    seed === undefined ? {} : { seed },
  );
  const verdicts = report.verdicts.slice(0, own.length);
  const pairs = hasMatrix
    ? pairsOfPcs(model).map((pair, index) => ({
        ...pair,
        isReached: report.verdicts[own.length + index]!.status === "passed",
      }))
    : [];
  return {
    seed,
    failures,
    report: { ...report, verdicts, status: toStatus(verdicts) },
    pairs,
    wallMs: performance.now() - startMs,
    findings: [],
  };
}
