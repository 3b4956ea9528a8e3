import type { Operation } from "../shared/edge/operation.ts";
import { existingProject } from "../shared/store/project/project.ts";
import { readTopology } from "../shared/store/project/read.ts";
import type { group } from "./routes.ts";

/** Includes zeros for drawings and snapshots, which the service does not have, because clients expect their counts. */
export const getProjectStats: Operation<typeof group.routes.getProjectStats> = async ({
  params: { project_id },
}) => {
  const { project, nodes, links } = await readTopology(project_id, "topology");
  existingProject(project, project_id);
  return { status: 200, body: { drawings: 0, links: links.length, nodes: nodes.length, snapshots: 0 } };
};
