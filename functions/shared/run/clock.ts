/** A lab's clock and seed, and how a project's variables pin them. */
import { failure } from "../edge/errors.ts";
import { LAB_TIME_END_US, parseLabTime } from "../schemas/lab-time.ts";
import type { ProjectItem } from "../store/project/project.ts";

/** Returns the seed of the project's runs: the pinned one, else the project's id. */
export const seedOf = (project: ProjectItem): string => project.seed ?? project.project_id;

/**
 * Returns the lab time at which a run starts, in microseconds since 1970: the present, or the end of the last run if that is later.
 * With the variable `clock`, the first run starts at its value, and each later run at the end of the previous one.
 * @throws ApiError `lab.clock` when the variable is not a time, `lab.clock-over` when the lab has reached the end of lab time.
 */
export function startOfRunUs(project: ProjectItem): number {
  const lastUs = project.clock_us ?? 0;
  const pinned = project.pinned_clock;
  if (lastUs >= LAB_TIME_END_US) throw failure("lab.clock-over");
  if (!pinned) return Math.max(Date.now() * 1000, lastUs);
  const pinnedNs = parseLabTime(pinned);
  if (pinnedNs === undefined) throw failure("lab.clock", { clock: pinned });
  return Math.max(Number(pinnedNs / 1000n), lastUs);
}
