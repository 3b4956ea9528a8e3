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
import type { LabReport } from "../schemas/lab-report.ts";
import { readFailures } from "./read-failures.ts";

export interface PlayQuery {
  readonly seed?: string | undefined;
  readonly fail?: string | undefined;
  readonly captures?: "failed" | "lab" | undefined;
}

interface Answer {
  readonly status: 200;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: LabReport;
}

/** @throws ApiError for failures that the lab does not have, and `request.out-of-time`. */
export async function playLabFile(
  file: LabModel,
  query: PlayQuery,
  remainingTimeMs: () => number,
): Promise<Answer> {
  const { cpuSeconds, ...limits } = labLimits({ ...DEFAULT_LIMITS, ...file.limits });
  const failures = query.fail === undefined ? [] : readFailures(query.fail, file);
  const { seed = file.seed } = query;
  const model = applyFailures({ ...file, limits, seed }, failures);
  const computing = new ProcessorTime();
  const hasNoTime = () => remainingTimeMs() < RESERVE_MS;
  const report = computing.during(() =>
    runLab(model, {
      isOutOfTime() {
        // A verdict that depended on the speed or load of the machine would not be reproducible.
        if (hasNoTime()) throw failure("request.out-of-time");
        return computing.seconds > cpuSeconds;
      },
    }),
  );
  if (query.captures === undefined) return { status: 200, body: toWire(report) as LabReport };
  const { captureReport } = await import("./capture-report.ts");
  const captures = await captureReport(model, report, {
    computing,
    kind: query.captures,
    isOutOfTime: () => hasNoTime() || computing.seconds > cpuSeconds,
  });
  // Uncompressed, so that the local gateway finds the URLs: infra/local/presigned.ts.
  return {
    status: 200,
    headers: { "content-encoding": "identity" },
    body: { ...toWire(report), captures } as LabReport,
  };
}
