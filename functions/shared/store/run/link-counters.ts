/**
 * Counters of links: what each link has carried since its creation. They are written in the transaction that commits a run, on the condition
 * that they are as they were read, so a run that is not committed counts nothing. A replay into a link without a capture commits nothing
 * else, so it does not wait for runs.
 */
import { Entity, type FormattedItem } from "dynamodb-toolbox/entity";
import { PutTransaction } from "dynamodb-toolbox/entity/actions/transactPut";
import { item } from "dynamodb-toolbox/schema/item";
import { number } from "dynamodb-toolbox/schema/number";
import { string } from "dynamodb-toolbox/schema/string";
import { QueryCommand } from "dynamodb-toolbox/table/actions/query";
import { document } from "../base/document.ts";
import { projectKey, table } from "../base/table.ts";
import { STALE, type Transaction, transact, untilFresh } from "../base/transact.ts";
import { when } from "../base/when.ts";
import { LinkEntity } from "../lab/link.ts";
import { type ProjectItem, whileThere } from "../project/project.ts";
import {
  addCounts,
  type CountPart,
  type LinkCounts,
  newLinks,
  type StoredCounts,
  withoutDeleted,
} from "./count-parts.ts";

const COUNTERS = "COUNTERS#";
/** There are fewer than a hundred parts. */
const DIGITS = 2;

export const CountersEntity = new Entity({
  name: "counters",
  table,
  timestamps: false,
  schema: item({
    project_id: string().key(),
    part: number().key(),
    revision: number(),
    links: document<StoredCounts>(),
  }),
  computeKey: ({ project_id, part }) => ({
    pk: projectKey(project_id),
    sk: `${COUNTERS}${String(part).padStart(DIGITS, "0")}`,
  }),
});

export type CountersItem = FormattedItem<typeof CountersEntity>;

export async function readCounters(projectId: string): Promise<CountPart[]> {
  const { Items } = await table
    .build(QueryCommand)
    .query({ partition: projectKey(projectId), range: { beginsWith: COUNTERS } })
    .entities(CountersEntity)
    .options({ consistent: true, maxPages: Number.POSITIVE_INFINITY })
    .send();
  return Items ?? [];
}

/**
 * Returns steps for the transaction that commits a run, at most MAX_PARTS.
 * They fail if the counters change before; then the run has to start again.
 */
export async function countingSteps(
  { project_id, link_count = 0 }: ProjectItem,
  added: readonly LinkCounts[],
): Promise<Transaction[]> {
  if (added.length === 0) return [];
  let parts = await readCounters(project_id);
  let cleared: ReadonlySet<number> = new Set();
  const held = parts.reduce((sum, { links }) => sum + Object.keys(links).length, 0);
  const isNew = newLinks(parts, added) > 0;
  // Deleting a link leaves its counters; they go when they are most of what there is.
  if (isNew && held > 2 * link_count) {
    const left = withoutDeleted(parts, await readCreations(project_id));
    [parts, cleared] = [left.parts, left.changed];
  }
  const changed = new Map(addCounts(parts, added).map((each) => [each.part, each]));
  for (const part of parts)
    if (cleared.has(part.part) && !changed.has(part.part)) changed.set(part.part, part);
  return [...changed.values()].map(({ part, revision, links }) =>
    CountersEntity.build(PutTransaction)
      .item({ project_id, part, revision: (revision ?? 0) + 1, links })
      .options(when(CountersEntity, { revision })),
  );
}

/** Returns when each link of the project was created. */
async function readCreations(projectId: string): Promise<ReadonlyMap<string, number>> {
  const { Items } = await table
    .build(QueryCommand)
    .query({ partition: projectKey(projectId), range: { beginsWith: "LINK#" } })
    .entities(LinkEntity)
    .options({
      consistent: true,
      maxPages: Number.POSITIVE_INFINITY,
      attributes: ["link_id", "created_us"],
    })
    .send();
  return new Map((Items ?? []).map(({ link_id, created_us }) => [link_id, created_us]));
}

/** Counts what no commit counts. If the project is gone, there is nothing to count. */
export async function countTraffic(project: ProjectItem, added: readonly LinkCounts[]): Promise<void> {
  await untilFresh(async () => {
    const counted = await countingSteps(project, added);
    if (counted.length === 0) return true;
    const refused = await transact({ project: whileThere(project), counted });
    return refused.size === 0 || refused.has("project") || STALE;
  });
}
