/** Lists from the index of who sees which projects (seen.ts). */
import { QueryCommand } from "dynamodb-toolbox/table/actions/query";
import { SEEN_INDEX, table } from "../base/table.ts";
import { type ListedProject, listed } from "./listed-project.ts";
import { ALL_USERS, partitionOf } from "./seen.ts";

/** Lists the ids of projects that a user owns, or that are or were shared with them. */
export const listShownTo = async (user: string): Promise<string[]> =>
  (await keysIn(partitionOf(user))).map(({ project_id }) => project_id);

/** Lists the projects that a user may see, or could see a moment ago. */
export async function listSeenBy(user: string): Promise<ListedProject[]> {
  const lists = await Promise.all([partitionOf(user), ALL_USERS].map(keysIn));
  return [...new Map(lists.flat().map((listed) => [listed.project_id, listed])).values()];
}

async function keysIn(partition: string): Promise<ListedProject[]> {
  const { Items } = await table
    .build(QueryCommand)
    .query({ index: SEEN_INDEX, partition })
    .options({ maxPages: Number.POSITIVE_INFINITY })
    .send();
  return (Items ?? []).map(listed);
}
