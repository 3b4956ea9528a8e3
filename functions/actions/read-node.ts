import type { Access } from "../shared/edge/access.ts";
import { ANY_HOST, existingNode, type NodeItem, toNode } from "../shared/store/lab/node.ts";
import { openedProject } from "../shared/store/project/project.ts";
import { readItems } from "../shared/store/project/read.ts";

/** @throws ApiError when the project or the node does not exist, or the project is closed. */
export async function readNode(access: Access, projectId: string, nodeId: string): Promise<NodeItem> {
  const found = await readItems(access, projectId, { nodes: [nodeId] });
  openedProject(found.project, projectId);
  return existingNode(found.nodes.get(nodeId), nodeId);
}

/** The type of the node as responses name it. */
export const shownType = (node: NodeItem): string => toNode(node, ANY_HOST).node_type;
