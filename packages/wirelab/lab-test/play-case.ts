/** Plays one case of a lab: the same in the main thread and in a worker. */
import { join } from "node:path";
import type { LabModel } from "@wirelab/lab/model/lab-model";
import { collectsFiles } from "@wirelab/lab/play/collect-files";
import { toStatus } from "@wirelab/lab/run-lab";
import { applyFailures } from "@wirelab/lab/sweep/failures";
import { expectAllPairs, pairsOfPcs } from "@wirelab/lab/sweep/reachability";
import { runLab } from "../run-lab.ts";
import { caseStem } from "./case-stem.ts";
import { expectationsOf } from "./expectations.ts";
import { keepFiles } from "./keep-files.ts";
import type { CaseResult, CaseSettings, KeptFile } from "./result.ts";
import type { PlayOptions } from "./work.ts";

/** @param model with the expectations that are judged. */
export function playCase(
  model: LabModel,
  { seed, failures }: CaseSettings,
  { hasMatrix, captures }: Pick<PlayOptions, "hasMatrix" | "captures">,
): CaseResult {
  const startMs = performance.now();
  const own = expectationsOf(model, { seed, failures });
  const expectations = hasMatrix ? [...own, ...expectAllPairs(model)] : own;
  let files: KeptFile[] | undefined;
  const folder = join(captures, caseStem(model.name, { seed, failures }));
  const report = runLab(applyFailures({ ...model, expectations }, failures), {
    ...(seed !== undefined && { seed }),
    ...(collectsFiles(model) && {
      collect(asked) {
        files = keepFiles(folder, asked);
      },
    }),
  });
  const verdicts = [...report.verdicts.slice(0, own.length), ...report.verdicts.slice(expectations.length)];
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
    ...(files && { files }),
  };
}
