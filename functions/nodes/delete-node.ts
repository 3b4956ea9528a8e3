import { deleteRealNode } from "../shared/compute/nodes.ts";
import type { Operation } from "../shared/edge/operation.ts";
import { refuseLocked, deleteNode as remove } from "../shared/store/contents/delete-node.ts";
import { isOnCompute, type NodeItem } from "../shared/store/lab/node.ts";
import type { group } from "./routes.ts";

export const deleteNode: Operation<typeof group.routes.deleteNode> = async ({ access, params }) => {
  const { project_id, node_id } = params;
  await remove(access, project_id, node_id, (node: NodeItem) => {
    refuseLocked(node);
    if (isOnCompute(node)) throw ON_COMPUTE;
  }).catch(async (error: unknown) => {
    if (error !== ON_COMPUTE) throw error;
    await deleteRealNode(access, project_id, node_id);
  });
  return { status: 204 };
};

/** Thrown for a node that its compute must delete first. */
const ON_COMPUTE = new Error("The node is on a registered compute");
