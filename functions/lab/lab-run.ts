/** A run of a lab: what it read before it began, and what it has done. */
import type { Simulation } from "../engine/simulation/simulation.ts";
import type { LinkItem } from "../store/link.ts";
import type { NodeItem } from "../store/node.ts";
import type { ProjectItem } from "../store/project.ts";
import type { LabItems } from "./load.ts";

/** What was read before a run begins. */
export interface Lab {
  readonly project: ProjectItem;
  readonly nodes: ReadonlyMap<string, NodeItem>;
  readonly links: ReadonlyMap<string, LinkItem>;
}

export interface LabRun {
  readonly simulation: Simulation;
  readonly items: LabItems;
  readonly startUs: number;
  readonly seed: string;
  /** The lab before the run. */
  readonly lab: Lab;
}
