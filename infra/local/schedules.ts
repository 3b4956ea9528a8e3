/** Calls functions on their schedules, as EventBridge does: first soon after the start, then at their rate. */
import { randomUUID } from "node:crypto";
import type { LambdaPool } from "./lambda-pool.ts";
import type { ScheduleDefinition } from "./template/schedules.ts";

/** The delay lets the user's first requests run before the scheduled functions. */
const FIRST_AFTER_MS = 60_000;

/** @returns a function that stops the schedules; the pool ends calls in progress. */
export function startSchedules(
  schedules: readonly ScheduleDefinition[],
  pool: LambdaPool,
  firstAfterMs = FIRST_AFTER_MS,
): () => void {
  const timers = new Map<ScheduleDefinition, NodeJS.Timeout>();
  const plan = (schedule: ScheduleDefinition, afterMs: number): void => {
    timers.set(schedule, setTimeout(() => fire(schedule), afterMs).unref());
  };
  const fire = (schedule: ScheduleDefinition): void => {
    plan(schedule, schedule.everyMs);
    // The function logs its errors, and the next call retries.
    pool.invoke(schedule.functionId, randomUUID(), JSON.stringify({ source: "aws.events" })).catch(() => {});
  };
  for (const schedule of schedules) plan(schedule, firstAfterMs);
  return () => {
    for (const timer of timers.values()) clearTimeout(timer);
  };
}
