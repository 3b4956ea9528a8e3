/** The end of a project. */
import { failure } from "../api/errors.ts";
import { forgetProject, getProject, isLeaving, markProjectDeleting, type ProjectItem } from "./project.ts";
import { sweepProject } from "./sweep.ts";
import { STALE, untilFresh } from "./transact.ts";

/**
 * Deletes a project and everything in it. One that is marked already is one whose deletion was interrupted, or is under way
 * elsewhere: it goes on here, too. When this ends, nothing is left of it, and its id is free.
 *
 *     mark     transaction: hidden from readers, name freed, count taken back     of many at once, one does it
 *     sweep    its parts, while it is marked and the very one that was read       of many at once, all do it
 *     forget   the project, likewise                                              of many at once, one does it
 *
 * @param isWanted asked of the project as it is just before it is marked: a change of it that comes first is heard.
 * @returns false when there is no such project, or it is to stay.
 */
export async function removeProject(
  projectId: string,
  isWanted: (project: ProjectItem) => boolean = () => true,
): Promise<boolean> {
  let seen: ProjectItem | undefined;
  const marked = await untilFresh(async () => {
    const project = await getProject(projectId);
    // Somebody else has deleted it to the end: whatever has the id now is not what was asked about.
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

/** @param project marked, as it was read: of one that has got its id meanwhile, nothing is touched. */
export async function finishRemoval(project: ProjectItem): Promise<void> {
  if (await sweepProject(project)) await forgetProject(project);
  // Not forgotten by anybody, and not swept: it is not to be forgotten with something left in it.
  else if (await isLeaving(project)) throw failure("store.busy");
}
