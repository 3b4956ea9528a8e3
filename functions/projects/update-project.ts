import type { Operation } from "../shared/edge/operation.ts";
import type { ProjectSettings } from "../shared/schemas/project.ts";
import { untilFresh } from "../shared/store/base/transact.ts";
import { readWholeProject } from "../shared/store/contents/read.ts";
import { refuseSharingByOthers } from "../shared/store/project/access.ts";
import { updateProject as storeProject } from "../shared/store/project/update-project.ts";
import { existingWhole, toProject } from "../shared/store/project/whole-project.ts";
import { refuseOtherPath } from "./create-project.ts";
import type { group } from "./routes.ts";

/** Also updates closed projects. */
export const updateProject: Operation<typeof group.routes.updateProject> = async ({
  access,
  params,
  body,
}) => {
  const { project_id } = params;
  const { name, path, ...given } = body;
  refuseOtherPath(path, project_id);
  const stored = await untilFresh(async () => {
    const before = existingWhole(await readWholeProject(access, project_id), project_id);
    const { project, settings } = before;
    if (changesSharing(settings, given.shared_with)) refuseSharingByOthers(access, project);
    return storeProject(before, { name: name ?? project.name, settings: { ...settings, ...given } });
  });
  return { status: 200, body: toProject(stored) };
};

/** Ignores unchanged values, because a client may send back the object that it received. */
const changesSharing = (
  settings: ProjectSettings,
  wanted: ProjectSettings["shared_with"] | undefined,
): boolean => wanted !== undefined && JSON.stringify(wanted) !== JSON.stringify(settings.shared_with);
