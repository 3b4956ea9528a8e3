/** The end of a project. */
import { forgetProject, getProject, markProjectDeleting, type ProjectItem } from "./project.ts";
import { sweepProject } from "./sweep.ts";
import { STALE, untilFresh } from "./transact.ts";

/**
 * Deletes a project and everything in it. One that is marked already is one whose deletion was interrupted: it goes on.
 * @param isWanted asked of the project as it is just before it is marked: a change of it that comes first is heard.
 * @returns false when there is no such project, or it is to stay.
 */
export async function removeProject(
  projectId: string,
  isWanted: (project: ProjectItem) => boolean = () => true,
): Promise<boolean> {
  const goes = await untilFresh(async () => {
    const project = await getProject(projectId);
    if (project === undefined) return false;
    if (project.deleting) return true;
    if (!isWanted(project)) return false;
    return (await markProjectDeleting(project)) ? true : STALE;
  });
  if (!goes) return false;
  await sweepProject(projectId);
  await forgetProject(projectId);
  return true;
}
