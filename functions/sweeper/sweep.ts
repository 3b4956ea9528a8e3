/**
 * Cleans up after requests that died half-way, and after missing ones.
 *
 *     projects       expired ones are deleted; interrupted deletions are finished
 *     computes       what functions that died were doing there with nodes and links is finished
 *     captures       that run without packets for too long are stopped; their packets stay. Once a day the sweeper checks whether
 *                    the packets of all captures are in the bucket, and deletes packets in items that belong to no capture
 *     objects        without a reference in the table are deleted, once they are a day old; before them, items in the table
 *                    that belong to deleted captures
 *
 * A run does a bounded amount of work and stores its progress; the next run continues from there. Each step can be repeated, and done
 * while the service handles requests: the sweeper reads strongly consistent, and writes on condition.
 */
import { finishLeft } from "../shared/compute/finish-left.ts";
import { SERVICE } from "../shared/edge/access.ts";
import { ApiError } from "../shared/edge/errors.ts";
import { logger } from "../shared/edge/log.ts";
import { count } from "../shared/edge/metrics.ts";
import { listObjects } from "../shared/store/base/objects.ts";
import { removeProject } from "../shared/store/contents/remove-project.ts";
import { readProjectPage } from "../shared/store/project/project-pages.ts";
import { type DeedPage, type LeftDeed, readDeedPage } from "../shared/store/sweep/left-deeds.ts";
import { readSweepState, type SweepState, writeSweepState } from "../shared/store/sweep/sweep-state.ts";
import { removeLeftovers } from "./leftovers.ts";
import { reportLostCaptures } from "./lost-captures.ts";
import { removeOrphans } from "./orphans.ts";
import { sweepNamespaces } from "./sweep-namespaces.ts";
import { sweepOneProject } from "./sweep-project.ts";

export interface SweepOptions {
  readonly nowMs: number;
  /** Captures that have run for this long without packets are stopped. */
  readonly abandonedMs: number;
  readonly remainingTimeMs: () => number;
  /** How many pages of objects, and of projects, one run reads, and their sizes. */
  readonly maxPages?: number;
  readonly projectsAPage?: number;
  readonly objectsAPage?: number;
}

const MAX_PROJECT_PAGES = 20;
/** Each run of a lab that captures adds an object to check. */
const MAX_OBJECT_PAGES = 200;
const PROJECTS_A_PAGE = 100;
const OBJECTS_A_PAGE = 1_000;
const DEEDS_A_PAGE = 100;
/** Interrupted deletions are rare; one run finishes at most this many. */
const UNFINISHED_DELETIONS = 100;
/** The sweeper starts no new step in the last minute, which the current step may need. */
const RESERVE_MS = 60_000;

/** Listing the objects of every project is the most expensive step of the sweeper. */
const CHECK_EVERY_MS = 86_400_000;

/** Younger objects may belong to a request that is still running; no request runs longer than 15 minutes. */
const ORPHAN_AGE_MS = 86_400_000;

export async function sweep(options: SweepOptions): Promise<void> {
  let state = await readSweepState();
  await attempt("deletions", finishDeletions);
  await attempt("computes", () => finishDeeds(options));
  await attempt("namespaces", () =>
    sweepNamespaces({ nowMs: options.nowMs, hasTime: () => hasTime(options), attempt }),
  );
  state = await sweepProjects(options, state);
  await sweepObjects(options, state);
  count("Sweeps");
}

/** The index may be behind: a new project that has got the id of a deleted one must stay. */
async function finishDeletions(): Promise<void> {
  const { projects } = await readProjectPage(SERVICE, "DELETING", UNFINISHED_DELETIONS);
  for (const { project_id } of projects) {
    await attempt(project_id, async () => {
      if (await removeProject(SERVICE, project_id, () => false)) count("FinishedDeletions");
    });
  }
}

/** Each deed is one of a function that died, and there are few. A compute that is away is asked again by the next sweep. */
async function finishDeeds(options: SweepOptions): Promise<void> {
  let from: DeedPage["next"];
  do {
    const { deeds, next } = await readDeedPage(DEEDS_A_PAGE, from);
    for (const deed of deeds) {
      if (!hasTime(options)) return;
      await attempt(deed.id, () => finishDeed(deed));
    }
    from = next;
  } while (from !== undefined);
}

async function finishDeed(deed: LeftDeed): Promise<void> {
  try {
    if (await finishLeft(deed)) logger.info("finished on a compute", { ...deed });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    logger.warn("left on a compute", { ...deed, message: error.message });
  }
}

async function sweepProjects(options: SweepOptions, begin: SweepState): Promise<SweepState> {
  const { maxPages = MAX_PROJECT_PAGES, projectsAPage = PROJECTS_A_PAGE } = options;
  let state = begin.project === undefined ? beginPass(begin, options.nowMs) : begin;
  for (let page = 0; page < maxPages && hasTime(options); page++) {
    const { projects, next } = await readProjectPage(SERVICE, "PROJECTS", projectsAPage, state.project);
    for (const project of projects) {
      if (!hasTime(options)) return state;
      await attempt(project.project_id, () => sweepOneProject(project, options));
      if (!state.checks) continue;
      await attempt(project.project_id, () => removeLeftovers(project.project_id));
      if (project.capture_count !== 0)
        await attempt(project.project_id, () => reportLostCaptures(project.project_id));
    }
    state = { ...state, project: next };
    await writeSweepState(state);
    if (next === undefined) break;
  }
  return state;
}

/** A pass covers all projects, in several runs if there are many, and checks the captures of all of them or of none. */
function beginPass(state: SweepState, nowMs: number): SweepState {
  const sinceMs = nowMs - (state.checked_ms ?? 0);
  const checks = sinceMs < 0 || sinceMs >= CHECK_EVERY_MS;
  return { ...state, checks, ...(checks && { checked_ms: nowMs }) };
}

async function sweepObjects(options: SweepOptions, begin: SweepState): Promise<void> {
  const { maxPages = MAX_OBJECT_PAGES, objectsAPage = OBJECTS_A_PAGE, nowMs } = options;
  let state = begin;
  for (let page = 0; page < maxPages && hasTime(options); page++) {
    const { objects, isLast } = await listObjects("", objectsAPage, state.object);
    const old = objects.filter(({ modifiedMs }) => modifiedMs < nowMs - ORPHAN_AGE_MS);
    await attempt("objects", () => removeOrphans(old));
    state = { ...state, object: isLast ? undefined : objects.at(-1)?.key };
    await writeSweepState(state);
    if (state.object === undefined) return;
  }
}

const hasTime = ({ remainingTimeMs }: SweepOptions): boolean => remainingTimeMs() > RESERVE_MS;

/** Logs a failure and continues, so that one failing step does not prevent the others. */
async function attempt(what: string, step: () => Promise<void>): Promise<void> {
  try {
    await step();
  } catch (error) {
    count("SweepFailures");
    logger.error("sweep failure", { what, error: error as Error });
  }
}
