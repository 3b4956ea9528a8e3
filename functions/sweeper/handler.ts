/** Runs on a schedule: infra/sweeper.ts. */
import type { Context } from "aws-lambda";
import { logger } from "../shared/edge/log.ts";
import { countInto, embedMetrics, type Measured } from "../shared/edge/metrics.ts";
import { sweep } from "./sweep.ts";

const DEFAULT_ABANDONED_DAYS = 30;
const DAY_MS = 86_400_000;

export async function handler(_event: unknown, context: Context): Promise<Measured> {
  const counts: Measured = {};
  const beginMs = performance.now();
  try {
    const options = {
      nowMs: Date.now(),
      abandonedMs: abandonedDays() * DAY_MS,
      remainingTimeMs: () => context.getRemainingTimeInMillis(),
    };
    await countInto(counts, () => sweep(options));
  } finally {
    logger.info("sweep", {
      correlation_id: context.awsRequestId,
      total_ms: Math.round(performance.now() - beginMs),
      ...embedMetrics([{ measured: counts }]),
    });
  }
  return counts;
}

/** @throws Error when the variable is set and is not a number above 0. */
function abandonedDays(): number {
  const text = process.env.ABANDONED_CAPTURE_DAYS;
  if (text === undefined || text === "") return DEFAULT_ABANDONED_DAYS;
  const days = Number(text);
  if (!(days > 0)) throw new Error(`ABANDONED_CAPTURE_DAYS must be a number above 0, got ${text}`);
  return days;
}
