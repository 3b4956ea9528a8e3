/** The event of a restored snapshot, in its project's stream. */
import type { NewEvent } from "../shared/store/events/publish.ts";
import type { ProjectItem } from "../shared/store/project/project.ts";

/**
 * Makes `snapshot.restored` when the commit of a restored snapshot has been written out, so that the event follows those of the parts that
 * the snapshot has changed, and a client that gets it reads the whole lab.
 */
export function restoredEvents(
  before: ProjectItem | undefined,
  after: ProjectItem | undefined,
): readonly (NewEvent & { stream: string })[] {
  if (before?.pending === undefined || after === undefined) return [];
  const { project_id, pending, deleting, restored, run } = after;
  // While a commit is pending, no other run raises the counter.
  const isRestored = pending === undefined && !deleting && restored !== undefined && restored.run === run;
  return isRestored ? [{ stream: project_id, action: "snapshot.restored", event: restored.snapshot }] : [];
}
