/** Reads the projects of all users from an index of their keys. The index follows the table within a second. */
import { QueryCommand } from "dynamodb-toolbox/table/actions/query";
import type { Access } from "../../edge/access.ts";
import { PROJECTS_INDEX, projectIdOf, table } from "../base/table.ts";
import { type ListedProject, listed } from "./listed-project.ts";
import type { ProjectItem } from "./project.ts";
import { readProjects } from "./read-projects.ts";

export interface ProjectPage {
  /** Read strongly consistent. */
  readonly projects: readonly ProjectItem[];
  /** Where the next page begins; missing on the last page. */
  readonly next: string | undefined;
}

/**
 * Reads a page of the projects in a listing, oldest first, for scheduled work of the service.
 * @param from `next` of the previous page.
 */
export async function readProjectPage(
  access: Access,
  listing: "PROJECTS" | "DELETING",
  limit: number,
  from?: string,
): Promise<ProjectPage> {
  const { Items, LastEvaluatedKey } = await table
    .build(QueryCommand)
    .query({ index: PROJECTS_INDEX, partition: listing })
    .options({ limit, ...(from && { exclusiveStartKey: JSON.parse(from) }) })
    .send();
  const found = await readProjects(access, (Items ?? []).map(idOf));
  const projects = found.filter((project) => project.listing === listing);
  return { projects, next: LastEvaluatedKey && JSON.stringify(LastEvaluatedKey) };
}

/** Lists the keys of all projects that are not being deleted. */
export async function listAllProjects(): Promise<ListedProject[]> {
  const { Items } = await table
    .build(QueryCommand)
    .query({ index: PROJECTS_INDEX, partition: "PROJECTS" })
    .options({ maxPages: Number.POSITIVE_INFINITY })
    .send();
  return (Items ?? []).map(listed);
}

const idOf = (keys: object): string => projectIdOf((keys as { pk: string }).pk);
