import { failure } from "../shared/edge/errors.ts";
import type { Operation } from "../shared/edge/operation.ts";
import { removeProject } from "../shared/store/project/remove-project.ts";
import type { group } from "./routes.ts";

export const deleteProject: Operation<typeof group.routes.deleteProject> = async ({
  access,
  params: { project_id },
}) => {
  if (!(await removeProject(access, project_id))) throw failure("project.not-found", { project_id });
  return { status: 204 };
};
