import type { Access } from "../shared/edge/access.ts";
import { withStates } from "../shared/store/commit/lab-states.ts";
import { readItems } from "../shared/store/contents/read.ts";
import { ANY_HOST, existingNode, type NodeItem, toNode } from "../shared/store/lab/node.ts";
import { openedProject } from "../shared/store/project/project.ts";

/** @throws ApiError when the project or the node does not exist, or the project is closed. */
export async function readNode(access: Access, projectId: string, nodeId: string): Promise<NodeItem> {
  const found = await readItems(access, projectId, { nodes: [nodeId] });
  openedProject(found.project, projectId);
  return existingNode(found.nodes.get(nodeId), nodeId);
}

/** Returns the node with the state of its device. @throws ApiError like `readNode`. */
export async function readNodeWithState(
  access: Access,
  projectId: string,
  nodeId: string,
): Promise<NodeItem> {
  const found = await readItems(access, projectId, { nodes: [nodeId] });
  const project = openedProject(found.project, projectId);
  const [node] = await withStates(project, [existingNode(found.nodes.get(nodeId), nodeId)]);
  return node!;
}

/** The type of the node as responses name it. */
export const shownType = (node: NodeItem): string => toNode(node, ANY_HOST).node_type;
