/** Commands typed into one node's console. */

import type { Operation } from "../shared/edge/operation.ts";
import { outcomeOf } from "../shared/run/report.ts";
import { NodeOnCompute, typeLines } from "../shared/run/type-lines.ts";
import type { NodeItem } from "../shared/store/lab/node.ts";
import type { group } from "./routes.ts";

export const runConsole: Operation<typeof group.routes.runConsole> = async ({
  access,
  params: { project_id, node_id },
  body,
  receipt,
  remainingTimeMs,
}) => {
  const typed = { projectId: project_id, nodeId: node_id, lines: body.commands, receipt };
  const ran = await typeLines(access, typed, remainingTimeMs).catch((error: unknown) => {
    if (error instanceof NodeOnCompute) return error;
    throw error;
  });
  if (ran instanceof NodeOnCompute) return typeThere(ran.node, body.commands, remainingTimeMs);
  const { run, session } = ran;
  const { stopped, ...outcome } = outcomeOf(run);
  return {
    status: 200,
    body: { output: session.output, stopped: stopped === "limit" ? "limit" : "idle", ...outcome },
  };
};

/** Loaded on first use: most nodes are simulated. */
async function typeThere(node: NodeItem, commands: readonly string[], remainingTimeMs: () => number) {
  const { typeOnCompute } = await import("../shared/compute-console/type-on-compute.ts");
  return { status: 200, body: await typeOnCompute(node, commands, remainingTimeMs) } as const;
}
