/** Called by the publisher for a new connection or compute, and for an item that this function writes at its end: infra/watcher.ts. */
import type { Context } from "aws-lambda";
import { logger } from "../shared/edge/log.ts";
import { watchComputes } from "./watch-computes.ts";

export async function handler(_event: unknown, context: Context): Promise<void> {
  const { awsRequestId: id } = context;
  const beginMs = performance.now();
  const computes = await watchComputes({
    id,
    remainingTimeMs: () => context.getRemainingTimeInMillis(),
  });
  const total_ms = Math.round(performance.now() - beginMs);
  logger.info("watch", { correlation_id: id, computes, total_ms });
}
