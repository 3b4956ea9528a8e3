/** A run of a lab: its state before the run, and the simulation. */
import type { Simulation } from "@wirelab/engine/simulation/simulation";
import type { LinkItem } from "../store/lab/link.ts";
import type { NodeItem } from "../store/lab/node.ts";
import type { ProjectItem } from "../store/project/project.ts";
import type { LabItems } from "./load.ts";

/** The lab as it was read before the run. */
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
