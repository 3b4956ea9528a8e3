import type { Operation } from "../api/operation.ts";
import { existingProject } from "../store/project.ts";
import { readTopology } from "../store/read.ts";
import type { group } from "./routes.ts";

/** Includes zeros for drawings and snapshots, which the service does not have, because clients expect their counts. */
export const getProjectStats: Operation<typeof group.routes.getProjectStats> = async ({
  params: { project_id },
}) => {
  const { project, nodes, links } = await readTopology(project_id, "topology");
  existingProject(project, project_id);
  return { status: 200, body: { drawings: 0, links: links.length, nodes: nodes.length, snapshots: 0 } };
};
