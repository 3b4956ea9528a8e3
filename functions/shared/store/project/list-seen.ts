/** Lists from the index of who sees which projects (seen.ts). */
import { QueryCommand } from "dynamodb-toolbox/table/actions/query";
import { projectIdOf, SEEN_INDEX, table } from "../base/table.ts";
import { ALL_USERS, partitionOf } from "./seen.ts";

/** Lists the ids of projects that a user owns, or that are or were shared with them. */
export const listShownTo = (user: string): Promise<string[]> => idsIn(partitionOf(user));

/** Lists the ids of projects that a user may see, or could see a moment ago. */
export async function listSeenBy(user: string): Promise<string[]> {
  const lists = await Promise.all([partitionOf(user), ALL_USERS].map(idsIn));
  return [...new Set(lists.flat())];
}

async function idsIn(partition: string): Promise<string[]> {
  const { Items } = await table
    .build(QueryCommand)
    .query({ index: SEEN_INDEX, partition })
    .options({ maxPages: Number.POSITIVE_INFINITY })
    .send();
  return (Items ?? []).map((stored) => projectIdOf((stored as { pk: string }).pk));
}
