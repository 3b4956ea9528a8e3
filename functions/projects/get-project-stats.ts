import type { Operation } from "../shared/edge/operation.ts";
import { readTopology } from "../shared/store/contents/read.ts";
import { existingProject } from "../shared/store/project/project.ts";
import type { group } from "./routes.ts";

export const getProjectStats: Operation<typeof group.routes.getProjectStats> = async ({
  access,
  params: { project_id },
}) => {
  const { project, nodes, links } = await readTopology(access, project_id, "topology");
  const { drawing_count: drawings = 0, snapshot_count: snapshots = 0 } = existingProject(project, project_id);
  return { status: 200, body: { drawings, links: links.length, nodes: nodes.length, snapshots } };
};
