import type { Operation } from "../shared/edge/operation.ts";
import { readWholeProject } from "../shared/store/contents/read.ts";
import { existingWhole, toProject } from "../shared/store/project/whole-project.ts";
import type { group } from "./routes.ts";

export const getProject: Operation<typeof group.routes.getProject> = async ({
  access,
  params: { project_id },
}) => ({
  status: 200,
  body: toProject(existingWhole(await readWholeProject(access, project_id), project_id)),
});
