/** Removes what a namespace that has ended leaves. */
import { SERVICE } from "../edge/access.ts";
import { namespaceUser } from "../edge/namespace.ts";
import { removeProject } from "../store/contents/remove-project.ts";
import { listShownTo } from "../store/project/list-seen.ts";
import { getProject } from "../store/project/project.ts";
import { getNamespace, hasEnded } from "../store/user/namespace.ts";
import { leaveExpired } from "./finish-left.ts";

/**
 * Deletes the projects of the namespace's user, and leaves off when the namespace has been made anew.
 * @returns how many were deleted.
 * @throws ApiError of a compute that is away: a repetition continues.
 */
export async function emptyNamespace(name: string, nowMs: number): Promise<number> {
  const user = namespaceUser(name);
  let removed = 0;
  for (const project_id of await listShownTo(user)) {
    const namespace = await getNamespace(name);
    if (namespace === undefined || !hasEnded(namespace, nowMs)) break;
    const project = await getProject(SERVICE, project_id);
    // The index may be behind.
    if (project?.owner !== user) continue;
    if (project.on_computes && !project.deleting) await leaveExpired(project_id);
    if (await removeProject(SERVICE, project_id, ({ owner }) => owner === user)) removed += 1;
  }
  return removed;
}
