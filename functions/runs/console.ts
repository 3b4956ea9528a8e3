/** Commands typed into one node's console. */

import type { Operation } from "../shared/edge/operation.ts";
import { outcomeOf } from "../shared/run/report.ts";
import { typeLines } from "../shared/run/type-lines.ts";
import type { group } from "./routes.ts";

export const runConsole: Operation<typeof group.routes.runConsole> = async ({
  access,
  params: { project_id, node_id },
  body,
  receipt,
  remainingTimeMs,
}) => {
  const typed = { projectId: project_id, nodeId: node_id, lines: body.commands, receipt };
  const { run, session } = await typeLines(access, typed, remainingTimeMs);
  const { stopped, ...outcome } = outcomeOf(run);
  return {
    status: 200,
    body: { output: session.output, stopped: stopped === "limit" ? "limit" : "idle", ...outcome },
  };
};
