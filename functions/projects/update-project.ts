import type { Operation } from "../api/operation.ts";
import type { ProjectSettings } from "../api/schemas/project.ts";
import { refuseSharingByOthers } from "../store/access.ts";
import { readWholeProject } from "../store/read.ts";
import { untilFresh } from "../store/transact.ts";
import { updateProject as storeProject } from "../store/update-project.ts";
import { existingWhole, toProject } from "../store/whole-project.ts";
import { refuseOtherPath } from "./create-project.ts";
import type { group } from "./routes.ts";

/** Also updates closed projects. */
export const updateProject: Operation<typeof group.routes.updateProject> = async ({ params, body }) => {
  const { project_id } = params;
  const { name, path, ...given } = body;
  refuseOtherPath(path, project_id);
  const stored = await untilFresh(async () => {
    const before = existingWhole(await readWholeProject(project_id), project_id);
    const { project, settings } = before;
    if (changesSharing(settings, given.shared_with)) refuseSharingByOthers(project);
    return storeProject(before, { name: name ?? project.name, settings: { ...settings, ...given } });
  });
  return { status: 200, body: toProject(stored) };
};

/** Ignores unchanged values, because a client may send back the object that it received. */
const changesSharing = (
  settings: ProjectSettings,
  wanted: ProjectSettings["shared_with"] | undefined,
): boolean => wanted !== undefined && JSON.stringify(wanted) !== JSON.stringify(settings.shared_with);
