/** Runs a lab file within the limits of the stack. */
import { failure } from "../shared/edge/errors.ts";
import { RESERVE_MS } from "../shared/edge/figures.ts";
import type { Operation } from "../shared/edge/operation.ts";
import { labLimits } from "../shared/run/limits.ts";
import { ProcessorTime } from "../shared/run/processor-time.ts";
import { refuseForService } from "./refuse-for-service.ts";
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
