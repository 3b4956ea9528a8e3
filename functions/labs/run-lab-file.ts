/** Runs a lab file within the limits of the stack. */
import type { LabModel } from "@wirelab/lab/model/lab-model";
import { failure, invalidRequest } from "../shared/edge/errors.ts";
import { figure, QUOTAS, RESERVE_MS } from "../shared/edge/figures.ts";
import type { Operation } from "../shared/edge/operation.ts";
import { labLimits } from "../shared/run/limits.ts";
import { ProcessorTime } from "../shared/run/processor-time.ts";
import type { group } from "./routes.ts";

export const runLabFile: Operation<typeof group.routes.runLabFile> = async ({
  body,
  query,
  remainingTimeMs,
}) => {
  // Loaded on first use, because most of it is the engine.
  const { applyFailures, DEFAULT_LIMITS, readFailures, readModel, runLab, toWire } = await import("./lab.ts");
  const file = readModel(body);
  refuseForService(file);
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
  if (query.captures === undefined) return { status: 200, body: toWire(report) };
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
    body: { ...toWire(report), captures },
  };
};

/** Rejects what a service that others use as well cannot do for a caller. */
function refuseForService(model: LabModel): void {
  for (const kind of ["nodes", "links"] as const) {
    const limit = figure(QUOTAS, `quota_${kind}`);
    const { length } = model[kind];
    if (length > limit) {
      throw invalidRequest([{ path: `body.${kind}`, message: `has ${length}; the limit is ${limit}` }]);
    }
  }
  for (const { claim, place } of model.expectations) {
    // A pattern can take any time on a long text.
    if (claim.kind !== "console" || !claim.isPattern) continue;
    const path = place ? `body:${place.line}:${place.column}` : "body";
    throw invalidRequest([{ path, message: "matches is not available in the service; use contains" }]);
  }
}
