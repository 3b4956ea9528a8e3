/** The lists that the index of who sees which projects (seen.ts) has. */
import { QueryCommand } from "dynamodb-toolbox/table/actions/query";
import { EVERYBODY, partitionOf } from "./seen.ts";
import { projectIdOf, SEEN_INDEX, table } from "./table.ts";

/** The ids of projects that a user owns, or that are or were shared with them. */
export const listShownTo = (user: string): Promise<string[]> => idsIn(partitionOf(user));

/** The ids of projects that a user may see, or could see a moment ago. */
export async function listSeenBy(user: string): Promise<string[]> {
  const lists = await Promise.all([partitionOf(user), EVERYBODY].map(idsIn));
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
