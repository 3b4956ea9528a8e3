import type { Operation } from "../api/operation.ts";
import type { ProjectSettings } from "../api/schemas/project.ts";
import { refuseSharingByOthers } from "../store/access.ts";
import {
  existingProject,
  getProject,
  type ProjectItem,
  updateProject as storeProject,
  toProject,
} from "../store/project.ts";
import { untilFresh } from "../store/transact.ts";
import { refuseOtherPath } from "./create-project.ts";
import type { group } from "./routes.ts";

/** Works on closed projects, too. */
export const updateProject: Operation<typeof group.routes.updateProject> = async ({ params, body }) => {
  const { project_id } = params;
  const { name, path, ...given } = body;
  refuseOtherPath(path, project_id);
  const stored = await untilFresh(async () => {
    const before = existingProject(await getProject(project_id), project_id);
    if (changesSharing(before, given.shared_with)) refuseSharingByOthers(before);
    return storeProject(before, { name: name ?? before.name, settings: { ...before.settings, ...given } });
  });
  return { status: 200, body: toProject(stored) };
};

/** A client may put back what it got. */
const changesSharing = (
  { settings }: ProjectItem,
  wanted: ProjectSettings["shared_with"] | undefined,
): boolean => wanted !== undefined && JSON.stringify(wanted) !== JSON.stringify(settings.shared_with ?? []);
