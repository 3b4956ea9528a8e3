/** Commands typed into one node's console. */

import { typeCommands } from "@wirelab/engine/simulation/actions";
import { ConsoleSession } from "@wirelab/engine/simulation/console-session";
import { failure } from "../shared/edge/errors.ts";
import type { Operation } from "../shared/edge/operation.ts";
import { outcomeOf } from "../shared/run/report.ts";
import { runLab } from "../shared/run/run-lab.ts";
import { isRecordType } from "../shared/schemas/node.ts";
import { existingNode, type NodeItem } from "../shared/store/lab/node.ts";
import type { group } from "./routes.ts";

export const runConsole: Operation<typeof group.routes.runConsole> = async ({
  params: { project_id, node_id },
  body,
  receipt,
  remainingTimeMs,
}) => {
  let session = new ConsoleSession(node_id, body.commands);
  const run = await runLab(
    project_id,
    {
      read: { nodes: [node_id] },
      receipt,
      schedule(simulation, lab) {
        const node = existingNode(lab.nodes.get(node_id), node_id);
        refuseWithoutConsole(node);
        if (node.status !== "started") {
          throw failure("node.not-started", { name: node.name, status: node.status });
        }
        session = new ConsoleSession(node_id, body.commands);
        simulation.schedule(0, typeCommands(session));
      },
    },
    remainingTimeMs,
  );
  const { stopped, ...outcome } = outcomeOf(run);
  return {
    status: 200,
    body: { output: session.output, stopped: stopped === "limit" ? "limit" : "idle", ...outcome },
  };
};

const WITH_CONSOLE: ReadonlySet<string> = new Set(["vpcs", "router"]);

/** @throws ApiError `node.no-console` */
export function refuseWithoutConsole({ document: { node_type } }: NodeItem): void {
  if (isRecordType(node_type) || !WITH_CONSOLE.has(node_type))
    throw failure("node.no-console", { node_type });
}
