import { failure } from "../api/errors.ts";
import type { Operation } from "../api/operation.ts";
import { forgetProject, getProject, markProjectDeleting } from "../store/project.ts";
import { sweepProject } from "../store/sweep.ts";
import { STALE, untilFresh } from "../store/transact.ts";
import type { group } from "./routes.ts";

/** A project that is marked already is one whose deletion was interrupted: it goes on. */
export const deleteProject: Operation<typeof group.routes.deleteProject> = async ({
  params: { project_id },
}) => {
  await untilFresh(async () => {
    const project = await getProject(project_id);
    if (project === undefined) throw failure("project.not-found", { project_id });
    return project.deleting || (await markProjectDeleting(project)) ? project : STALE;
  });
  await sweepProject(project_id);
  await forgetProject(project_id);
  return { status: 204 };
};
