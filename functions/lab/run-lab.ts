/**
 * Runs a lab in virtual time: reads what the run touches, simulates, and commits everything at once.
 *
 *     read project, nodes asked for -> simulate until something is missing -> read it -> ... -> segments to the bucket
 *     -> one commit; if anything happened in the lab meanwhile, all of it again
 */
import type { Receipt } from "../api/idempotency.ts";
import { count } from "../api/metrics.ts";
import type { Simulation, SimulationOptions } from "../engine/simulation/simulation.ts";
import type { LinkItem } from "../store/link.ts";
import type { NodeItem } from "../store/node.ts";
import { existingProject, openedProject, type ProjectItem } from "../store/project.ts";
import { readItems, readTopology } from "../store/read.ts";
import { STALE } from "../store/transact.ts";
import { seedOf, startOfRunUs } from "./clock.ts";
import { commit } from "./commit.ts";
import { type LabLimits, labLimits, RESERVE_MS } from "./limits.ts";
import type { LabItems } from "./load.ts";
import { inTurn } from "./turn.ts";

/** What was read before a run begins. */
export interface Lab {
  readonly project: ProjectItem;
  readonly nodes: ReadonlyMap<string, NodeItem>;
  readonly links: ReadonlyMap<string, LinkItem>;
}

export interface RunPlan {
  /** What to read first: the nodes named, or the whole lab. */
  readonly read: { readonly nodes: readonly string[] } | "everything";
  readonly durationNs?: number | undefined;
  /** The run opens the project, should it be closed, in the commit that is the run. */
  readonly opens?: boolean;
  /** Of the request that the run answers, when that must not be carried out twice. */
  readonly receipt?: Receipt | undefined;
  /** Plans what is to happen. Called again when the run has to begin again. @throws ApiError when it cannot. */
  readonly schedule: (simulation: Simulation, lab: Lab) => void;
}

export interface LabRun {
  readonly simulation: Simulation;
  readonly items: LabItems;
  readonly startUs: number;
  readonly seed: string;
  /** The lab before the run. */
  readonly lab: Lab;
}

/** A run that reads more nodes and links than these takes the turn before it goes on: to begin again would be dear. */
const LARGE_ITEMS = 64;

/** @throws ApiError when the project is not there or closed, or what `schedule` throws. */
export function runLab(projectId: string, plan: RunPlan, remainingTimeMs: () => number): Promise<LabRun> {
  return inTurn(projectId, remainingTimeMs() - RESERVE_MS, async (turn) => {
    // A function's first run loads the engine while the table answers.
    const [lab, { Simulation, LabItems, makeTap }] = await Promise.all([
      readLab(projectId, plan),
      import("./engine.ts"),
    ]);
    if (turn.isOthers(lab.project)) return STALE;
    if (lab.nodes.size + lab.links.size > LARGE_ITEMS && !(await turn.take())) return STALE;
    const limits = labLimits();
    const startUs = startOfRunUs(lab.project);
    const seed = seedOf(lab.project);
    const simulation = new Simulation({
      ...optionsOf(limits, plan, startUs, seed, remainingTimeMs),
      makeTap,
    });
    const items = new LabItems(projectId, lab.project.run);
    items.add(simulation, lab.nodes.values(), lab.links.values());
    plan.schedule(simulation, lab);
    for (let missing = simulation.advance(); missing; missing = simulation.advance()) {
      const count = items.count + missing.nodes.length + missing.links.length;
      if (count > LARGE_ITEMS && !(await turn.take())) return STALE;
      if (!(await items.fetch(simulation, missing))) return STALE;
    }
    const run: LabRun = { simulation, items, startUs, seed, lab };
    return (await commit(run, plan.receipt)) ? run : STALE;
  }).then(counted);
}

/** Runs that had to begin again count once. */
function counted(run: LabRun): LabRun {
  count("Runs");
  count("Events", run.simulation.events);
  count("Packets", run.simulation.packets);
  return run;
}

async function readLab(projectId: string, { read: wanted, opens }: RunPlan): Promise<Lab> {
  const usable = opens ? existingProject : openedProject;
  if (wanted === "everything") {
    const { project, nodes, links } = await readTopology(projectId, "topology");
    return {
      project: usable(project, projectId),
      nodes: new Map(nodes.map((node) => [node.node_id, node])),
      links: new Map(links.map((link) => [link.link_id, link])),
    };
  }
  const { project, nodes, links } = await readItems(projectId, wanted);
  return { project: usable(project, projectId), nodes, links };
}

function optionsOf(
  limits: LabLimits,
  plan: RunPlan,
  startUs: number,
  seed: string,
  remainingTimeMs: () => number,
): Omit<SimulationOptions, "makeTap"> {
  const beginMs = performance.now();
  return {
    startUs,
    seed,
    limits,
    durationNs: plan.durationNs,
    isOutOfTime: () =>
      performance.now() - beginMs > limits.cpuSeconds * 1000 || remainingTimeMs() < RESERVE_MS,
  };
}
