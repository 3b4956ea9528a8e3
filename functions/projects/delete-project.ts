import { leaveComputes } from "../shared/compute/projects.ts";
import type { Access } from "../shared/edge/access.ts";
import { ApiError, failure } from "../shared/edge/errors.ts";
import type { Operation } from "../shared/edge/operation.ts";
import { readTopology } from "../shared/store/contents/read.ts";
import { removeProject } from "../shared/store/contents/remove-project.ts";
import type { NodeItem } from "../shared/store/lab/node.ts";
import { getProject } from "../shared/store/project/project.ts";
import type { group } from "./routes.ts";

export const deleteProject: Operation<typeof group.routes.deleteProject> = async ({
  access,
  params: { project_id },
}) => {
  if ((await getProject(access, project_id))?.on_computes)
    await leaveComputes(project_id, await nodesOf(access, project_id), "delete");
  if (!(await removeProject(access, project_id))) throw failure("project.not-found", { project_id });
  return { status: 204 };
};

/** A damaged project can be deleted, too: what it has on computes is then left there. */
async function nodesOf(access: Access, projectId: string): Promise<readonly NodeItem[]> {
  try {
    return (await readTopology(access, projectId, "nodes")).nodes;
  } catch (error) {
    if (error instanceof ApiError && error.code === "store.damaged") return [];
    throw error;
  }
}
