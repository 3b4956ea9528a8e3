/** Reads nodes. */
import type { Access } from "../shared/edge/access.ts";
import type { Operation } from "../shared/edge/operation.ts";
import { readItems, readTopology } from "../shared/store/contents/read.ts";
import { toLink } from "../shared/store/lab/link.ts";
import { existingNode, type NodeItem, toNode } from "../shared/store/lab/node.ts";
import { existingProject, openedProject } from "../shared/store/project/project.ts";
import type { group } from "./routes.ts";

/** @throws ApiError when the project or the node does not exist, or the project is closed. */
export async function readNode(access: Access, projectId: string, nodeId: string): Promise<NodeItem> {
  const found = await readItems(access, projectId, { nodes: [nodeId] });
  openedProject(found.project, projectId);
  return existingNode(found.nodes.get(nodeId), nodeId);
}

export const listNodes: Operation<typeof group.routes.listNodes> = async ({
  access,
  params: { project_id },
  origin: { host },
}) => {
  const { project, nodes } = await readTopology(access, project_id, "nodes");
  existingProject(project, project_id);
  return { status: 200, body: nodes.map((node) => toNode(node, host)) };
};

export const getNode: Operation<typeof group.routes.getNode> = async ({ access, params, origin }) => ({
  status: 200,
  body: toNode(await readNode(access, params.project_id, params.node_id), origin.host),
});

/** Reads the links that the node names in a second round trip, instead of all links of the project. */
export const listNodeLinks: Operation<typeof group.routes.listNodeLinks> = async ({ access, params }) => {
  const node = await readNode(access, params.project_id, params.node_id);
  const ids = Object.values(node.links).map((end) => end!.link_id);
  const { links } = await readItems(access, params.project_id, { links: ids });
  const found = [...links.values()].sort((a, b) => a.created_us - b.created_us);
  return { status: 200, body: found.map(toLink) };
};
