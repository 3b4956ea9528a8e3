/** The caller's projects. */
import type { Access } from "../../edge/access.ts";
import { listSeenBy } from "../project/list-seen.ts";
import { byCreation, cursorOf, readCursor } from "../project/listed-project.ts";
import { listAllProjects } from "../project/project-pages.ts";
import type { WholeProject } from "../project/whole-project.ts";
import { readWholeProjects } from "./read.ts";

export interface PageOfProjects {
  /** Missing for the whole list. */
  readonly limit?: number | undefined;
  /** `next` of the page before. */
  readonly after?: string | undefined;
}

/**
 * Lists the caller's projects in creation order: their own, those shared with them, and those without an owner; for an admin,
 * all projects. The indexes follow the table within a second; the projects are read strongly consistent.
 *
 * A page has the projects of at most `limit` keys; it has fewer when projects were deleted or unshared since.
 * @returns `next` when there are more.
 */
export async function listProjects(
  access: Access,
  { limit, after }: PageOfProjects = {},
): Promise<{ readonly projects: WholeProject[]; readonly next: string | undefined }> {
  const { caller } = access;
  const all = await (caller.role === "admin" ? listAllProjects() : listSeenBy(caller.name));
  const from = after === undefined ? undefined : readCursor(after);
  const left = all.filter((each) => from === undefined || byCreation(from, each) < 0).toSorted(byCreation);
  const page = limit === undefined ? left : left.slice(0, limit);
  const found = await readWholeProjects(
    access,
    page.map(({ project_id }) => project_id),
  );
  const projects = found.sort((one, other) => one.project.created_us - other.project.created_us);
  return { projects, next: page.length < left.length ? cursorOf(page.at(-1)!) : undefined };
}
