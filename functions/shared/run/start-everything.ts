/** Opens a project and starts its nodes; loaded when a project starts automatically. */

import { switchPower } from "@wirelab/engine/simulation/actions";
import { DEFAULT_QUIET } from "@wirelab/engine/simulation/quiet";
import { switchRealNodes } from "../compute/nodes.ts";
import type { Access } from "../edge/access.ts";
import { isRecordType } from "../schemas/node.ts";
import { isOnCompute } from "../store/lab/node.ts";
import { placeholdersIn } from "./placeholders-in.ts";
import { headersOf } from "./report.ts";
import { type RunPlan, runLab } from "./run-lab.ts";

/**
 * Starts all nodes at the same moment in one run, which opens the project: start-up scripts run, and their packets are delivered.
 * @returns the headers that report a limit.
 */
export async function startEverything(
  access: Access,
  projectId: string,
  remainingTimeMs: () => number,
): Promise<Record<string, string>> {
  const plan: RunPlan = {
    read: "everything",
    opens: true,
    quiet: DEFAULT_QUIET,
    schedule(simulation, { nodes }) {
      const stopped = [...nodes.values()].filter((node) => node.status === "stopped");
      const ids = stopped
        .filter(({ document }) => !isRecordType(document.node_type))
        .filter((node) => !isOnCompute(node))
        .map((node) => node.node_id);
      if (ids.length > 0) simulation.schedule(0, switchPower(ids, "start"));
    },
  };
  const run = await runLab(access, projectId, plan, remainingTimeMs);
  const nodes = [...run.lab.nodes.values()];
  const real = nodes.filter(isOnCompute);
  if (real.length > 0) await switchRealNodes(access, real, "start");
  const left = placeholdersIn(nodes);
  if (left.length > 0) {
    const { moveAndStart } = await import("./move-and-start.ts");
    await moveAndStart(access, projectId, left);
  }
  return headersOf(run);
}
