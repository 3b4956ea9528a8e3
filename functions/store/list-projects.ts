/** The caller's projects. */
import { QueryCommand } from "dynamodb-toolbox/table/actions/query";
import { currentAccess } from "../api/access.ts";
import { revealedOf } from "./access.ts";
import { listSeenBy } from "./list-seen.ts";
import { ProjectEntity, type ProjectItem } from "./project.ts";
import { readProjects } from "./read.ts";
import { PROJECTS_INDEX, table } from "./table.ts";

/**
 * All projects of the caller's in creation order: their own, those shared with them, and everybody's; all there are for an
 * admin. The indexes follow the table within a second; but for an admin's list, the projects are as they are now.
 */
export async function listProjects(): Promise<ProjectItem[]> {
  const { caller } = currentAccess();
  const found = caller.role === "admin" ? await readAll() : await readProjects(await listSeenBy(caller.name));
  return found.filter((project) => !project.deleting).sort((one, other) => one.created_us - other.created_us);
}

async function readAll(): Promise<ProjectItem[]> {
  const { Items } = await table
    .build(QueryCommand)
    .query({ index: PROJECTS_INDEX, partition: "PROJECTS" })
    .entities(ProjectEntity)
    .options({ maxPages: Number.POSITIVE_INFINITY })
    .send();
  return revealedOf(Items ?? []);
}
