/** Runs on a schedule: infra/sweeper.ts. */
import type { Context } from "aws-lambda";
import { figure, SWEEPS } from "../shared/edge/figures.ts";
import { logger } from "../shared/edge/log.ts";
import { countInto, embedMetrics, type Measured } from "../shared/edge/metrics.ts";
import { metricsOf } from "./metrics-of.ts";
import { sweep } from "./sweep.ts";

const DAY_MS = 86_400_000;

export async function handler(_event: unknown, context: Context): Promise<Measured> {
  const counts: Measured = {};
  const beginMs = performance.now();
  try {
    const options = {
      nowMs: Date.now(),
      abandonedMs: figure(SWEEPS, "abandoned_capture_days") * DAY_MS,
      remainingTimeMs: () => context.getRemainingTimeInMillis(),
    };
    await countInto(counts, () => sweep(options));
  } finally {
    logger.info("sweep", {
      correlation_id: context.awsRequestId,
      total_ms: Math.round(performance.now() - beginMs),
      ...counts,
      ...embedMetrics([{ measured: metricsOf(counts) }]),
    });
  }
  return counts;
}
