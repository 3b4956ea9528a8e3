/** Plays a lab beside the service: its expectations, and every single failure of a link or a node. Pure; the worker calls it. */

import { linuxKind } from "@wirelab/engine/devices/linux/kind";
import type { LabModel } from "@wirelab/lab/model/lab-model";
import { parseLabFile } from "@wirelab/lab/read/parse-lab-file";
import type { LabReport } from "@wirelab/lab/report/report";
import { runLab } from "@wirelab/lab/run-lab";
import { applyFailures, combineFailures, type Failure } from "@wirelab/lab/sweep/failures";
import { expectAllPairs } from "@wirelab/lab/sweep/reachability";
import { readGns3Project } from "@wirelab/lab/topology/gns3project";

const TOPOLOGY = "lab.gns3project";

export type { Failure };

/** What one failure does to the pairs of PCs. */
export interface SweepRow {
  /** Undefined for the lab without a failure. */
  readonly failure: Failure | undefined;
  /** The ends of a failed link: nodes and ports by name and number. */
  readonly ends: readonly { readonly node: string; readonly port: number }[];
  /** For each pair, whether it still reaches: true, false, or null if the run ended before that was known. */
  readonly reaches: readonly (boolean | null)[];
}

/**
 * Joins a lab and what must hold in it. What cannot be played in a browser is left out; the model's warnings name it.
 * @param archive the project as the service exports it.
 * @param text the keys of a lab file except for nodes and links: `expect`, `run`, `seed`.
 * @throws LabFileError with line and column; Error in words for a lab that cannot be played.
 */
export function readModel(archive: Uint8Array, text: string): LabModel {
  // The topology follows the text, so that lines of the text have their numbers in problems.
  return parseLabFile(`${text.trimEnd()}\ntopology: ${TOPOLOGY}\n`, {
    name: "lab",
    file: "line",
    load: (file) => {
      if (file === TOPOLOGY) return archive;
      throw new Error(`${file}: files cannot be read here`);
    },
    loadTopology: (file) =>
      readGns3Project(archive, file, { leavesOut: true, cannotRun: ({ type }) => type === linuxKind.type }),
  });
}

export const playTests = (model: LabModel): LabReport => runLab(model);

/** Pairs of PCs that reach each other, or not: the columns of `sweep`. */
export const pairsOf = (model: LabModel): string[] => expectAllPairs(model).map(({ name }) => name);

/** Plays the lab as it is, then with each link cut, then with each node off. */
export function* sweep(model: LabModel): Generator<SweepRow> {
  const expectations = expectAllPairs(model);
  for (const [failure] of combineFailures(model, { links: 1, nodes: 1 })) {
    const broken = applyFailures(model, failure ? [failure] : []);
    const { verdicts } = runLab({ ...broken, expectations });
    const link = failure?.kind === "link" && model.links.find(({ name }) => name === failure.name);
    yield {
      failure,
      ends: link ? link.ends.map(({ node, port }) => ({ node, port })) : [],
      reaches: verdicts.map(({ status }) => (status === "undecided" ? null : status === "passed")),
    };
  }
}

/** How many rows `sweep` yields. */
export const sweepRows = ({ links, nodes }: LabModel): number => 1 + links.length + nodes.length;
