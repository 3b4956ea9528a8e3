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
import { SERVICE } from "../../edge/access.ts";
import { document } from "../base/document.ts";
import { projectKey, table } from "../base/table.ts";
import { STALE, type Transaction, transact, untilFresh } from "../base/transact.ts";
import { when } from "../base/when.ts";
import { LinkEntity } from "../lab/link.ts";
import { NodeEntity } from "../lab/node.ts";
import { getProject, noteReplay, type ProjectItem } from "../project/project.ts";
import {
  addCounts,
  type CountPart,
  type CountsBeside,
  type LinkCounts,
  newLinks,
  type StoredCounts,
  withoutDeleted,
} from "./count-parts.ts";
import { type Creations, readStates } from "./lab-states.ts";

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

/** A step for the transaction that commits a run, and the bytes that it writes. */
export interface CountingStep {
  readonly step: Transaction;
  readonly bytes: number;
}

/**
 * Returns steps for the transaction that commits a run, at most MAX_PARTS.
 * They fail if the counters change before; then the run has to start again.
 * @param stored the counters as they were read. @param run the number of the run.
 */
export async function countingSteps(
  { project_id, link_count = 0, states }: ProjectItem,
  stored: readonly CountPart[],
  beside: CountsBeside,
  added: readonly LinkCounts[],
  run: number,
): Promise<CountingStep[]> {
  if (added.length === 0) return [];
  let parts = stored;
  let cleared: ReadonlySet<number> = new Set();
  const held = parts.reduce((sum, { links }) => sum + Object.keys(links).length, 0);
  const isNew = newLinks(parts, added) > 0;
  // Deleting a link leaves its counters; they go when they are most of what there is.
  if (isNew && held > 2 * link_count) {
    const left = withoutDeleted(parts, await readCreations(project_id, "LINK#"));
    [parts, cleared] = [left.parts, left.changed];
  }
  const changed = new Map(
    addCounts(parts, beside, added, states === undefined ? undefined : run).map((each) => [each.part, each]),
  );
  for (const part of parts)
    if (cleared.has(part.part) && !changed.has(part.part)) changed.set(part.part, part);
  return [...changed.values()].map(({ part, revision, links }) => ({
    step: CountersEntity.build(PutTransaction)
      .item({ project_id, part, revision: (revision ?? 0) + 1, links })
      .options(when(CountersEntity, { revision })),
    bytes: Buffer.byteLength(JSON.stringify(links)),
  }));
}

/** The items of nodes are behind those of links. */
const LAST_OF = { "LINK#": "LINK#\uffff", "NODE#": "NODE#\uffff" } as const;

/** Returns when each link of the project, or each node, was created. */
export async function readCreations(projectId: string, first: keyof typeof LAST_OF): Promise<Creations> {
  const { Items } = await table
    .build(QueryCommand)
    .query({ partition: projectKey(projectId), range: { between: [first, LAST_OF[first]] } })
    .entities(LinkEntity, NodeEntity)
    .options({
      consistent: true,
      maxPages: Number.POSITIVE_INFINITY,
      attributes: ["link_id", "node_id", "created_us"] as never,
    })
    .send();
  const items = (Items ?? []) as { link_id?: string; node_id?: string; created_us: number }[];
  return new Map(items.map(({ link_id, node_id, created_us }) => [(link_id ?? node_id)!, created_us]));
}

/** Counts what no commit counts. If the project is gone, there is nothing to count. */
export async function countTraffic(project: ProjectItem, added: readonly LinkCounts[]): Promise<void> {
  let current = project;
  await untilFresh(async () => {
    const [parts, states] = await Promise.all([readCounters(project.project_id), readStates(current)]);
    const counted = await countingSteps(current, parts, states, added, current.run ?? 0);
    const refused = await transact({
      project: noteReplay(current),
      counted: counted.map(({ step }) => step),
    });
    if (refused.size === 0) return true;
    const found = refused.has("project") ? await getProject(SERVICE, project.project_id) : current;
    if (found === undefined || found.deleting || found.created_us !== project.created_us) return true;
    current = found;
    return STALE;
  });
}
