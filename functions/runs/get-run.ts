import type { Operation } from "../shared/edge/operation.ts";
import { showRun } from "../shared/run/show-run.ts";
import { existingProject, getProject } from "../shared/store/project/project.ts";
import type { group } from "./routes.ts";

export const getRun: Operation<typeof group.routes.getRun> = async ({ access, params }) => {
  const { project_id, run_id } = params;
  existingProject(await getProject(access, project_id), project_id);
  return { status: 200, body: await showRun(access, project_id, run_id) };
};
