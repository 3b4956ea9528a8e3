import type { Operation } from "../api/operation.ts";
import { existingProject, getProject as readProject, toProject } from "../store/project.ts";
import type { group } from "./routes.ts";

export const getProject: Operation<typeof group.routes.getProject> = async ({ params: { project_id } }) => ({
  status: 200,
  body: toProject(existingProject(await readProject(project_id), project_id)),
});
