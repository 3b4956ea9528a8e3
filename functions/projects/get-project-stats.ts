import type { Operation } from "../shared/edge/operation.ts";
import { existingProject } from "../shared/store/project/project.ts";
import { readTopology } from "../shared/store/project/read.ts";
import type { group } from "./routes.ts";

export const getProjectStats: Operation<typeof group.routes.getProjectStats> = async ({
  params: { project_id },
}) => {
  const { project, nodes, links } = await readTopology(project_id, "topology");
  const { drawing_count = 0 } = existingProject(project, project_id);
  const body = { drawings: drawing_count, links: links.length, nodes: nodes.length, snapshots: 0 };
  return { status: 200, body };
};
