/** Which counts of the sweeper are metrics. CloudWatch charges for a metric by the hour in which it is written. */
import type { Measured } from "../shared/edge/metrics.ts";

/** The metric of runs is written every hour, and only its alarm and the dashboard read it. */
const isRead = process.env.SWEEPS_METRIC === "true";

/** @returns the counts that become metrics; the log line has all counts. */
export function metricsOf(counts: Measured): Measured {
  if (isRead) return counts;
  const { Sweeps: _runs, ...others } = counts;
  return others;
}
