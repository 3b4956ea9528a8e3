/** All projects, whosever they are, a page at a time: for what the service does with them by itself. */
import type { FormattedItem } from "dynamodb-toolbox/entity";
import { QueryCommand } from "dynamodb-toolbox/table/actions/query";
import { ProjectEntity } from "./project.ts";
import { PROJECTS_INDEX, table } from "./table.ts";

export interface ProjectPage {
  readonly projects: readonly FormattedItem<typeof ProjectEntity>[];
  /** Where the next page begins; missing when this is the last. */
  readonly next: string | undefined;
}

/**
 * A page of the index, oldest projects first. The index follows the table within a second: what is done with a project
 * is to be decided by the project itself.
 * @param from `next` of the page before.
 */
export async function readProjectPage(
  listing: "PROJECTS" | "DELETING",
  limit: number,
  from?: string,
): Promise<ProjectPage> {
  const { Items, LastEvaluatedKey } = await table
    .build(QueryCommand)
    .query({ index: PROJECTS_INDEX, partition: listing })
    .entities(ProjectEntity)
    .options({ limit, ...(from && { exclusiveStartKey: JSON.parse(from) }) })
    .send();
  return { projects: Items ?? [], next: LastEvaluatedKey && JSON.stringify(LastEvaluatedKey) };
}
