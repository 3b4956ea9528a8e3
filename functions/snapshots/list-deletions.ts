import type { Operation } from "../shared/edge/operation.ts";
import { readItems } from "../shared/store/contents/read.ts";
import { listDeletions as listStored, toDeletion } from "../shared/store/deletion/deletion.ts";
import { existingProject } from "../shared/store/project/project.ts";
import type { group } from "./routes.ts";

export const listDeletions: Operation<typeof group.routes.listDeletions> = async ({
  access,
  params: { project_id },
}) => {
  const { project } = await readItems(access, project_id, {});
  existingProject(project, project_id);
  const nowMs = Date.now();
  const deletions = (await listStored(project_id)).filter(({ expires_ms }) => expires_ms > nowMs);
  return { status: 200, body: deletions.map(toDeletion) };
};
