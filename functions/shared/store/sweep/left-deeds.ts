/** Finds what functions are doing with nodes and links on computes, or have left: see lab/doing.ts. The index follows within a second. */
import { QueryCommand } from "dynamodb-toolbox/table/actions/query";
import { PROJECTS_INDEX, projectIdOf, table } from "../base/table.ts";
import { DOING } from "../lab/doing.ts";

export interface LeftDeed {
  readonly projectId: string;
  readonly kind: "node" | "link";
  readonly id: string;
}

export interface DeedPage {
  readonly deeds: readonly LeftDeed[];
  /** Where the next page begins; missing on the last page. */
  readonly next: Record<string, unknown> | undefined;
}

/** Returns a page of nodes and links with a deed, oldest items first. @param from `next` of the previous page. */
export async function readDeedPage(limit: number, from?: DeedPage["next"]): Promise<DeedPage> {
  const { Items, LastEvaluatedKey } = await table
    .build(QueryCommand)
    .query({ index: PROJECTS_INDEX, partition: DOING })
    .options({ limit, ...(from && { exclusiveStartKey: from }) })
    .send();
  return { deeds: (Items ?? []).map(toDeed), next: LastEvaluatedKey };
}

function toDeed(keys: object): LeftDeed {
  const { pk, sk } = keys as { pk: string; sk: string };
  const [kind = "", id = ""] = sk.split("#");
  return { projectId: projectIdOf(pk), kind: kind === "NODE" ? "node" : "link", id };
}
