/** Deletion of a project. */
import type { Access } from "../../edge/access.ts";
import { failure } from "../../edge/errors.ts";
import { STALE, untilFresh } from "../base/transact.ts";
import {
  forgetProject,
  getProject,
  isLeaving,
  markProjectDeleting,
  type ProjectItem,
} from "../project/project.ts";
import { sweepProject } from "../sweep/sweep.ts";

/**
 * Deletes a project and everything in it. If the project is already marked, its deletion was interrupted or another request is
 * deleting it; this request continues the deletion, too. When this function resolves, the project is gone and its id is free.
 *
 *     mark     transaction: hidden from readers, name freed, count taken back     of concurrent requests, one does it
 *     sweep    its parts, while it is marked and the project that was read        of concurrent requests, all do it
 *     forget   the project, on the same condition                                 of concurrent requests, one does it
 *
 * @param isWanted checks the project as it is just before it is marked, so that an earlier change of it counts.
 * @returns false when there is no such project, or `isWanted` refuses.
 */
export async function removeProject(
  access: Access,
  projectId: string,
  isWanted: (project: ProjectItem) => boolean = () => true,
): Promise<boolean> {
  let seen: ProjectItem | undefined;
  const marked = await untilFresh(async () => {
    const project = await getProject(access, projectId);
    // Another request has completed the deletion: a project that has the id now is a different one.
    if (seen !== undefined && project?.created_us !== seen.created_us) return "gone";
    if (project === undefined) return undefined;
    if (project.deleting) return project;
    if (!isWanted(project)) return undefined;
    seen = project;
    return (await markProjectDeleting(project)) ? project : STALE;
  });
  if (marked === undefined) return false;
  if (marked !== "gone") await finishRemoval(marked);
  return true;
}

/** @param project marked, as it was read. A project that has got its id meanwhile is not touched. */
export async function finishRemoval(project: ProjectItem): Promise<void> {
  if (await sweepProject(project)) await forgetProject(project);
  // The project exists and its sweep ended early: it must not be forgotten with parts left in it.
  else if (await isLeaving(project)) throw failure("store.busy");
}
