/**
 * Runs a lab in virtual time: reads what the run touches, simulates, and commits everything at once.
 *
 *     read the project and the requested nodes -> simulate until an item is missing -> read it -> ... -> segments to the bucket
 *     -> one commit; if the lab changed meanwhile, the run starts again
 */

import type { Quiet } from "@wirelab/engine/simulation/quiet";
import { CLOCK_EVERY_WITH_GUESTS } from "@wirelab/engine/simulation/run-budget";
import { Simulation, type SimulationOptions } from "@wirelab/engine/simulation/simulation";
import type { Access } from "../edge/access.ts";
import { failure } from "../edge/errors.ts";
import { RESERVE_MS } from "../edge/figures.ts";
import type { Receipt } from "../edge/idempotency.ts";
import { logger } from "../edge/log.ts";
import { count } from "../edge/metrics.ts";
import { STALE } from "../store/base/transact.ts";
import { withStates } from "../store/commit/lab-states.ts";
import { readItems, readTopology } from "../store/contents/read.ts";
import type { NodeItem } from "../store/lab/node.ts";
import { existingProject, openedProject } from "../store/project/project.ts";
import { seedOf, startOfRunUs } from "./clock.ts";
import { commit } from "./commit.ts";
import { refuseWithoutRoom } from "./guest-room.ts";
import { currentGuests } from "./guests.ts";
import type { Lab, LabRun } from "./lab-run.ts";
import { type LabLimits, labLimits } from "./limits.ts";
import { LabItems } from "./load.ts";
import { ProcessorTime } from "./processor-time.ts";
import { Slice } from "./slice.ts";
import { makeTap } from "./tap.ts";
import { inTurn } from "./turn.ts";

export interface RunPlan {
  /** What to read first: the named nodes, or the whole lab. */
  readonly read: { readonly nodes: readonly string[] } | "everything";
  readonly durationNs?: number | undefined;
  /** How long a run without a duration waits for routing protocols; absent: not at all. */
  readonly quiet?: Quiet | undefined;
  /** The commit of the run opens the project if it is closed. */
  readonly opens?: boolean;
  /** The run stops nodes: it has room in a project whose stored bytes have reached the quota. */
  readonly frees?: boolean;
  /** Identifies the request that the run serves, if that must be executed only once. */
  readonly receipt?: Receipt | undefined;
  /** Default: those of the stack. */
  readonly limits?: LabLimits;
  /** Schedules the actions of the run; called again at each restart. @throws ApiError when the plan is not possible. */
  readonly schedule: (simulation: Simulation, lab: Lab) => void;
  /** Called from time to time while the run computes. */
  readonly paused?: ((simulation: Simulation) => void) | undefined;
}

/** A run that reads more nodes and links than this takes the turn before it continues, because restarting it is expensive. */
const LARGE_ITEMS = 64;

/**
 * @throws ApiError when the project does not exist or is closed, any error of `schedule`, or `request.out-of-time` when the
 *   request's time ends before the run does.
 */
export function runLab(
  access: Access,
  projectId: string,
  plan: RunPlan,
  remainingTimeMs: () => number,
): Promise<LabRun> {
  return inTurn(access, projectId, remainingTimeMs() - RESERVE_MS, async (turn) => {
    const lab = await readLab(access, projectId, plan);
    if (turn.isOthers(lab.project)) return STALE;
    if (lab.nodes.size + lab.links.size > LARGE_ITEMS && !(await turn.take())) return STALE;
    const guests = currentGuests();
    if (guests && !plan.frees) await refuseWithoutRoom(lab.project);
    const limits = plan.limits ?? labLimits();
    const startUs = startOfRunUs(lab.project);
    const seed = seedOf(lab.project);
    const computing = new ProcessorTime();
    const slice = new Slice(computing, guests !== undefined);
    const simulation = new Simulation({
      ...optionsOf(limits, plan, startUs, seed, computing, remainingTimeMs),
      isPaused: () => slice.isOver,
      clockEvery: guests && CLOCK_EVERY_WITH_GUESTS,
      makeTap,
    });
    if ((await guests?.prepare(lab.nodes.values())) === false) return STALE;
    guests?.watch(simulation);
    const items = new LabItems(access, projectId, lab.project.run);
    items.add(simulation, lab.nodes.values(), lab.links.values());
    plan.schedule(simulation, lab);
    const advance = () => computing.during(() => simulation.advance());
    for (let missing = advance(); missing; missing = advance()) {
      if (slice.isOver) {
        await slice.next();
        plan.paused?.(simulation);
      }
      const isPaused = missing.nodes.length + missing.links.length === 0;
      if (isPaused) continue;
      const count = items.count + missing.nodes.length + missing.links.length;
      if (count > LARGE_ITEMS && !(await turn.take())) return STALE;
      if (!(await items.fetch(simulation, missing))) return STALE;
    }
    const run: LabRun = { simulation, items, startUs, seed, lab };
    return (await commit(run, plan.receipt)) ? run : STALE;
  }).then(noted);
}

/** Counts a committed run, however often it restarted, and logs the limit at which it stopped. */
function noted(run: LabRun): LabRun {
  const { stopped, loop, events, packets } = run.simulation;
  count("Runs");
  count("Events", events);
  count("Packets", packets);
  if (stopped?.limit) {
    const { project_id } = run.lab.project;
    logger.info("A run stopped at a limit", { project_id, limit: stopped.limit, loop, events, packets });
  }
  return run;
}

async function readLab(access: Access, projectId: string, { read: wanted, opens }: RunPlan): Promise<Lab> {
  const usable = opens ? existingProject : openedProject;
  if (wanted === "everything") {
    const { project, nodes, links } = await readTopology(access, projectId, "topology");
    const there = usable(project, projectId);
    return {
      project: there,
      nodes: byId(await withStates(there, nodes)),
      links: new Map(links.map((link) => [link.link_id, link])),
    };
  }
  const { project, nodes, links } = await readItems(access, projectId, wanted);
  const there = usable(project, projectId);
  return { project: there, nodes: byId(await withStates(there, [...nodes.values()])), links };
}

const byId = (nodes: readonly NodeItem[]): ReadonlyMap<string, NodeItem> =>
  new Map(nodes.map((node) => [node.node_id, node]));

function optionsOf(
  limits: LabLimits,
  plan: RunPlan,
  startUs: number,
  seed: string,
  computing: ProcessorTime,
  remainingTimeMs: () => number,
): Omit<SimulationOptions, "makeTap"> {
  return {
    startUs,
    seed,
    limits,
    durationNs: plan.durationNs,
    quiet: plan.quiet,
    isOutOfTime() {
      // A run whose length depended on the speed or load of the machine would not be reproducible, so it is rolled back.
      if (remainingTimeMs() < RESERVE_MS) throw failure("request.out-of-time");
      return computing.seconds > limits.cpuSeconds;
    },
  };
}
