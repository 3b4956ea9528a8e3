/** Calls functions on their schedules, as EventBridge would: soon after the start, and then at their rate. */
import { randomUUID } from "node:crypto";
import type { LambdaPool } from "./lambda-pool.ts";
import type { ScheduleDefinition } from "./template.ts";

/** Requests that a start was made for come first. */
const FIRST_AFTER_MS = 60_000;

/** @returns how to stop; calls under way end with the pool. */
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
    // What goes wrong is in the function's log; the next call may fare better.
    pool.invoke(schedule.functionId, randomUUID(), JSON.stringify({ source: "aws.events" })).catch(() => {});
  };
  for (const schedule of schedules) plan(schedule, firstAfterMs);
  return () => {
    for (const timer of timers.values()) clearTimeout(timer);
  };
}
