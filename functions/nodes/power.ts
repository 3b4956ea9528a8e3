/** Starting, stopping, suspending and reloading, of one node and of all. */
import { failure } from "../api/errors.ts";
import type { Operation } from "../api/operation.ts";
import { ALWAYS_STARTED, type NodeStatus } from "../api/schemas/node.ts";
import { type NodeItem, setNodeStatus, setNodeStatuses, toNode } from "../store/node.ts";
import { openedProject } from "../store/project.ts";
import { readTopology } from "../store/read.ts";
import { readNode } from "./read-node.ts";
import type { group } from "./routes.ts";

type Routes = typeof group.routes;
type Action = "start" | "stop" | "suspend" | "reload";

/** What becomes of a node; suspending one that does not run changes nothing. */
function statusAfter(node: NodeItem, action: Action): NodeStatus {
  if (ALWAYS_STARTED.has(node.document.node_type)) return "started";
  if (action === "stop") return "stopped";
  if (action === "suspend") return node.status === "started" ? "suspended" : node.status;
  return "started";
}

const actOnOne =
  (action: Action): Operation<Routes["startNode"]> =>
  async ({ params: { project_id, node_id } }) => {
    const node = await readNode(project_id, node_id);
    const status = statusAfter(node, action);
    const known = status === node.status || (await setNodeStatus(project_id, node_id, status));
    if (!known) throw failure("node.not-found", { node_id });
    return { status: 200, body: toNode({ ...node, status }) };
  };

const actOnAll =
  (action: Action): Operation<Routes["startAllNodes"]> =>
  async ({ params: { project_id } }) => {
    const { project, nodes } = await readTopology(project_id, "nodes");
    openedProject(project, project_id);
    const changing = Map.groupBy(
      nodes.filter((node) => statusAfter(node, action) !== node.status),
      (node) => statusAfter(node, action),
    );
    for (const [status, group] of changing) await setNodeStatuses(group, status);
    return { status: 204 };
  };

export const startNode = actOnOne("start");
export const stopNode = actOnOne("stop");
export const suspendNode = actOnOne("suspend");
export const reloadNode = actOnOne("reload");
export const startAllNodes = actOnAll("start");
export const stopAllNodes = actOnAll("stop");
export const suspendAllNodes = actOnAll("suspend");
export const reloadAllNodes = actOnAll("reload");
