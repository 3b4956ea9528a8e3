/** Opens a project that starts its nodes, some of which are Linux nodes: the function of projects has begun it. */
import type { Access } from "../shared/edge/access.ts";
import { startEverything } from "../shared/run/start-everything.ts";
import type { StoredAnswer } from "../shared/run/stored-run.ts";
import { readWholeProject } from "../shared/store/contents/read.ts";
import { existingWhole, toProject } from "../shared/store/project/whole-project.ts";

interface OpenRequest {
  readonly access: Access;
  readonly params: { readonly project_id: string };
  readonly remainingTimeMs: () => number;
}

export async function openProject({
  access,
  params: { project_id },
  remainingTimeMs,
}: OpenRequest): Promise<StoredAnswer> {
  const headers = await startEverything(access, project_id, remainingTimeMs);
  const whole = existingWhole(await readWholeProject(access, project_id), project_id);
  return { status: 201, body: toProject(whole), headers };
}
