import { failure } from "../api/errors.ts";
import type { Operation } from "../api/operation.ts";
import { forgetProject, getProject, markProjectDeleting } from "../store/project.ts";
import { sweepProject } from "../store/sweep.ts";
import type { group } from "./routes.ts";

/** A project that is marked already is one whose deletion was interrupted: it goes on. */
export const deleteProject: Operation<typeof group.routes.deleteProject> = async ({
  params: { project_id },
}) => {
  const project = await getProject(project_id);
  if (project === undefined) throw failure("project.not-found", { project_id });
  if (!project.deleting) await markProjectDeleting(project);
  await sweepProject(project_id);
  await forgetProject(project_id);
  return { status: 204 };
};
