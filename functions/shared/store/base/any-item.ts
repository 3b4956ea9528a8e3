/** Any item in a project's partition, by its keys alone: for parts of a project that are removed or restored together. */
import { Entity } from "dynamodb-toolbox/entity";
import { DeleteTransaction } from "dynamodb-toolbox/entity/actions/transactDelete";
import { PutTransaction } from "dynamodb-toolbox/entity/actions/transactPut";
import { item } from "dynamodb-toolbox/schema/item";
import { number } from "dynamodb-toolbox/schema/number";
import { string } from "dynamodb-toolbox/schema/string";
import { QueryCommand } from "dynamodb-toolbox/table/actions/query";
import { projectKey, table } from "./table.ts";
import type { Transaction } from "./transact.ts";
import { when } from "./when.ts";

/** An item as the table stores it, under the names of its attributes there. JSON holds all of it: the values are no sets and no bytes. */
export type StoredItem = Readonly<Record<string, unknown>>;

const AnyEntity = new Entity({
  name: "any",
  table,
  timestamps: false,
  entityAttribute: false,
  schema: item({ project_id: string().key(), sk: string().key(), state_run: number().optional() }),
  computeKey: ({ project_id, sk }) => ({ pk: projectKey(project_id), sk }),
});

/** Lists the sort keys of all items of a project, strongly consistent. */
export async function listKeys(projectId: string): Promise<string[]> {
  const { Items } = await table
    .build(QueryCommand)
    .query({ partition: projectKey(projectId) })
    .options({ consistent: true, maxPages: Number.POSITIVE_INFINITY, attributes: ["sk"] })
    .send();
  return (Items ?? []).map((stored) => String((stored as { sk: string }).sk));
}

export const deleteItem = (project_id: string, sk: string): Transaction =>
  AnyEntity.build(DeleteTransaction).key({ project_id, sk });

/** Condition: this run, or a later one, has not written the item. */
const notYetBy = (run: number) =>
  when(AnyEntity, { or: [{ state_run: undefined }, { attr: "state_run", lt: run }] });

export const deleteOnce = (project_id: string, sk: string, run: number): Transaction =>
  AnyEntity.build(DeleteTransaction).key({ project_id, sk }).options(notYetBy(run));

/** Returns a step that writes the whole item, and in it the number of the run that wrote it. */
export function putOnce(project_id: string, sk: string, stored: StoredItem, state_run: number): Transaction {
  const put = AnyEntity.build(PutTransaction)
    .item({ project_id, sk, state_run })
    .options(notYetBy(state_run));
  const params = () => {
    const { Put, ...rest } = put.params();
    return { ...rest, Put: { ...Put, Item: { ...stored, ...Put?.Item } } };
  };
  return Object.assign(Object.create(put), { params });
}
