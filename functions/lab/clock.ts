/** A lab's clock and seed, and how a project's variables pin them. */
import { failure } from "../api/errors.ts";
import { parseLabTime } from "../api/schemas/lab-time.ts";
import type { ProjectItem } from "../store/project.ts";

/** No run begins later, so none lasts until 2106, when the time stamps of pcap files come to their end. */
const END_US = Date.UTC(2100, 0) * 1000;

/** The seed of the project's runs: the pinned one, else one of the project's own. */
export const seedOf = (project: ProjectItem): string => project.seed ?? project.project_id;

/**
 * Lab time at which a run starts, in microseconds since 1970: the present, or the end of the last run when that lies later.
 * With the variable `clock` the first run starts there, and every other one at the end of the one before.
 * @throws ApiError `lab.clock` when the variable is no time, `lab.clock-over` when the lab has reached the end of lab time.
 */
export function startOfRunUs(project: ProjectItem): number {
  const lastUs = project.clock_us ?? 0;
  const pinned = project.pinned_clock;
  if (lastUs >= END_US) throw failure("lab.clock-over");
  if (!pinned) return Math.max(Date.now() * 1000, lastUs);
  const pinnedNs = parseLabTime(pinned);
  if (pinnedNs === undefined) throw failure("lab.clock", { clock: pinned });
  return Math.max(Number(pinnedNs / 1000n), lastUs);
}
