/** Returns the addresses that a switch, or a router with switched ports, has learned, at the lab's clock. */

import { failureOf } from "../shared/edge/errors.ts";
import type { Operation } from "../shared/edge/operation.ts";
import { NODE_ERRORS } from "../shared/edge/own-errors/node.ts";
import { startOfRunUs } from "../shared/run/clock.ts";
import { withStates } from "../shared/store/commit/lab-states.ts";
import { readItems } from "../shared/store/contents/read.ts";
import { existingNode, isOnCompute } from "../shared/store/lab/node.ts";
import { openedProject } from "../shared/store/project/project.ts";
import { learnsMacs, macTableOf } from "./learned-macs.ts";
import type { group } from "./routes.ts";

export const getMacTable: Operation<typeof group.routes.getMacTable> = async ({ access, params }) => {
  const { project_id, node_id } = params;
  const found = await readItems(access, project_id, { nodes: [node_id] });
  const project = openedProject(found.project, project_id);
  const stored = existingNode(found.nodes.get(node_id), node_id);
  const { node_type } = stored.document;
  if (!learnsMacs(node_type) || isOnCompute(stored))
    throw failureOf(NODE_ERRORS, "node.no-mac-table", { node_type });
  const [node] = await withStates(project, [stored]);
  return { status: 200, body: macTableOf(node!, startOfRunUs(project)) };
};
