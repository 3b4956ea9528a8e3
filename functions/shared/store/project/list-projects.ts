/** The caller's projects. */
import type { Access } from "../../edge/access.ts";
import { listSeenBy } from "./list-seen.ts";
import { listProjectIds } from "./project-pages.ts";
import { readWholeProjects } from "./read.ts";
import type { WholeProject } from "./whole-project.ts";

/**
 * Lists the caller's projects in creation order: their own, those shared with them, and those without an owner; for an admin,
 * all projects. The indexes follow the table within a second; the projects are read strongly consistent.
 */
export async function listProjects(access: Access): Promise<WholeProject[]> {
  const { caller } = access;
  const ids = caller.role === "admin" ? await listProjectIds() : await listSeenBy(caller.name);
  const found = await readWholeProjects(access, ids);
  return found.sort((one, other) => one.project.created_us - other.project.created_us);
}
