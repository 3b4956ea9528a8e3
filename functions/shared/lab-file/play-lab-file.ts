/** Plays a lab file within the limits of the function that calls it. */
import type { LabModel } from "@wirelab/lab/model/lab-model";
import { DEFAULT_LIMITS } from "@wirelab/lab/play/run-stage";
import { toWire } from "@wirelab/lab/report/wire";
import { runLab } from "@wirelab/lab/run-lab";
import { applyFailures } from "@wirelab/lab/sweep/failures";
import { failure } from "../edge/errors.ts";
import { RESERVE_MS } from "../edge/figures.ts";
import { labLimits } from "../run/limits.ts";
import { ProcessorTime } from "../run/processor-time.ts";
import { captureReport } from "./capture-report.ts";
import { LabClock } from "./lab-clock.ts";
import { readFailures } from "./read-failures.ts";
import type { StoredReport } from "./stored-report.ts";

export interface PlayQuery {
  readonly seed?: string | undefined;
  readonly fail?: string | undefined;
  readonly captures?: "failed" | "lab" | undefined;
}

/**
 * @param note gets the lab time that has been simulated, now and then and at the end.
 * @throws ApiError for failures that the lab does not have, and `request.out-of-time`.
 */
export async function playLabFile(
  file: LabModel,
  query: PlayQuery,
  remainingTimeMs: () => number,
  note?: (elapsedSeconds: number) => void,
): Promise<StoredReport> {
  const { cpuSeconds, ...limits } = labLimits({ ...DEFAULT_LIMITS, ...file.limits });
  const failures = query.fail === undefined ? [] : readFailures(query.fail, file);
  const { seed = file.seed } = query;
  const model = applyFailures({ ...file, limits, seed }, failures);
  const computing = new ProcessorTime();
  const clock = new LabClock();
  const hasNoTime = () => remainingTimeMs() < RESERVE_MS;
  const report = computing.during(() =>
    runLab(model, {
      watch: (simulation) => clock.watch(simulation),
      isOutOfTime() {
        note?.(clock.elapsedSeconds);
        // A verdict that depended on the speed or load of the machine would not be reproducible.
        if (hasNoTime()) throw failure("request.out-of-time");
        return computing.seconds > cpuSeconds;
      },
    }),
  );
  const stored = toWire(report) as StoredReport;
  note?.(clock.elapsedSeconds);
  if (query.captures === undefined) return stored;
  const captures = await captureReport(model, report, {
    computing,
    kind: query.captures,
    isOutOfTime: () => hasNoTime() || computing.seconds > cpuSeconds,
  });
  return { ...stored, captures };
}
