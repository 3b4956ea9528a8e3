import { failure, failureOf } from "../shared/edge/errors.ts";
import { newId } from "../shared/edge/idempotency.ts";
import type { Operation } from "../shared/edge/operation.ts";
import { IMPORT_ERRORS } from "../shared/edge/own-errors/import.ts";
import { PROJECT_DEFAULTS, type ProjectCreate, type ProjectSettings } from "../shared/schemas/project.ts";
import { readWholeProject } from "../shared/store/contents/read.ts";
import { createProject as storeProject } from "../shared/store/project/create-project.ts";
import { getProject, projectPath } from "../shared/store/project/project.ts";
import { toProject } from "../shared/store/project/whole-project.ts";
import type { group } from "./routes.ts";

export const createProject: Operation<typeof group.routes.createProject> = async (request) => {
  const { body } = request;
  const project_id = body.project_id ?? newId(request, "project");
  refuseOtherPath(body.path, project_id);
  const settings = settingsOf(body);
  const stored = await storeProject(request.access, { project_id, name: body.name }, settings);
  if (stored !== "id-taken") return { status: 201, body: toProject(stored) };
  const existing = await readWholeProject(request.access, project_id);
  if (existing === undefined) {
    if ((await getProject(request.access, project_id))?.deleting)
      throw failure("project.deleting", { project_id });
    // The project belongs to another user, or was deleted meanwhile.
    throw failure("project.id-taken", { project_id });
  }
  return { status: 201, body: toProject(existing) };
};

const settingsOf = ({
  name: _name,
  project_id: _id,
  path: _path,
  ...given
}: ProjectCreate): ProjectSettings => ({
  ...PROJECT_DEFAULTS,
  ...given,
});

/** Labs are stored in the table and the bucket, so a client cannot choose a path. */
export function refuseOtherPath(path: string | null | undefined, projectId: string): void {
  if (path != null && path !== projectPath(projectId)) throw failureOf(IMPORT_ERRORS, "project.path-refused");
}
