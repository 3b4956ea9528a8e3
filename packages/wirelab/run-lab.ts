/** Plays a lab with all that this package can judge. */
import { judgeAdjacencies } from "@wirelab/lab/adjacency/judge-adjacencies";
import type { LabModel } from "@wirelab/lab/model/lab-model";
import type { LabReport } from "@wirelab/lab/report/report";
import { type RunLabOptions, runLab as runWith } from "@wirelab/lab/run-lab";

/** The service and the page do not play topologies of other tools, and so do without the check of neighbours. */
export const runLab = (model: LabModel, options: RunLabOptions = {}): LabReport =>
  runWith(model, { ...(model.checksNeighbours && { judgeMore: judgeAdjacencies }), ...options });
