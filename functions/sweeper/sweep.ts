/**
 * Clears away what requests have left behind: those that died half-way, and those that never came.
 *
 *     projects       expired ones are deleted; deletions that were interrupted are finished
 *     captures       that run without packets for too long are stopped; their packets stay. Once a day it is looked whether
 *                    the packets of all captures are in the bucket
 *     objects        that nothing in the table refers to are deleted, once they are a day old; before them, what is left
 *                    in the table of captures that are gone
 *
 * A run does a bounded amount of work and writes down how far it came; the next one goes on from there. Each step can be
 * repeated, and done while requests are served: what decides is read strongly consistent, and written on condition.
 */
import { asService } from "../api/access.ts";
import { logger } from "../api/log.ts";
import { count } from "../api/metrics.ts";
import { listObjects } from "../store/objects.ts";
import { readProjectPage } from "../store/project-pages.ts";
import { removeProject } from "../store/remove-project.ts";
import { readSweepState, type SweepState, writeSweepState } from "../store/sweep-state.ts";
import { reportLostCaptures } from "./lost-captures.ts";
import { removeOrphans } from "./orphans.ts";
import { sweepOneProject } from "./sweep-project.ts";

export interface SweepOptions {
  readonly nowMs: number;
  /** Captures that have run so long without packets are stopped. */
  readonly abandonedMs: number;
  readonly remainingTimeMs: () => number;
  /** Pages of objects, and of projects, that one run looks at, and their sizes. */
  readonly maxPages?: number;
  readonly projectsAPage?: number;
  readonly objectsAPage?: number;
}

const MAX_PROJECT_PAGES = 20;
/** Each run of a lab that captures leaves an object to be looked at. */
const MAX_OBJECT_PAGES = 200;
const PROJECTS_A_PAGE = 100;
const OBJECTS_A_PAGE = 1_000;
/** Deletions that are interrupted are few; a run finishes so many. */
const UNFINISHED_DELETIONS = 100;
/** Nothing new is begun in the last minute: what is under way may need it. */
const RESERVE_MS = 60_000;

/** Listing the objects of every project is the dearest that the sweeper does. */
const CHECK_EVERY_MS = 86_400_000;

/** What is younger may belong to a request that is under way: none lives for longer than 15 minutes. */
const ORPHAN_AGE_MS = 86_400_000;

export function sweep(options: SweepOptions): Promise<void> {
  return asService(async () => {
    let state = await readSweepState();
    await attempt("deletions", finishDeletions);
    state = await sweepProjects(options, state);
    await sweepObjects(options, state);
    count("Sweeps");
  });
}

/** The index may be behind: one that was deleted to the end, and whose id has been given again, is to stay. */
async function finishDeletions(): Promise<void> {
  const { projects } = await readProjectPage("DELETING", UNFINISHED_DELETIONS);
  for (const { project_id } of projects) {
    await attempt(project_id, async () => {
      if (await removeProject(project_id, () => false)) count("FinishedDeletions");
    });
  }
}

async function sweepProjects(options: SweepOptions, begin: SweepState): Promise<SweepState> {
  const { maxPages = MAX_PROJECT_PAGES, projectsAPage = PROJECTS_A_PAGE } = options;
  let state = begin.project === undefined ? beginPass(begin, options.nowMs) : begin;
  for (let page = 0; page < maxPages && hasTime(options); page++) {
    const { projects, next } = await readProjectPage("PROJECTS", projectsAPage, state.project);
    for (const project of projects) {
      if (!hasTime(options)) return state;
      await attempt(project.project_id, () => sweepOneProject(project, options));
      if (state.checks && project.capture_count !== 0)
        await attempt(project.project_id, () => reportLostCaptures(project.project_id));
    }
    state = { ...state, project: next };
    await writeSweepState(state);
    if (next === undefined) break;
  }
  return state;
}

/** A pass goes over all projects, in several runs if there are many, and checks the captures of all of them or of none. */
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

/** One thing that cannot be swept is no reason to leave the others lying. */
async function attempt(what: string, step: () => Promise<void>): Promise<void> {
  try {
    await step();
  } catch (error) {
    count("SweepFailures");
    logger.error("sweep failure", { what, error: error as Error });
  }
}
