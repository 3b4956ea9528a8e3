/** Removes everything in a project, however much. */

import { Entity } from "dynamodb-toolbox/entity";
import { DeleteTransaction } from "dynamodb-toolbox/entity/actions/transactDelete";
import { item } from "dynamodb-toolbox/schema/item";
import { string } from "dynamodb-toolbox/schema/string";
import { QueryCommand } from "dynamodb-toolbox/table/actions/query";
import { projectPrefixes } from "./capture-objects.ts";
import { deletePrefix } from "./objects.ts";
import { isLeaving, type ProjectItem, whileLeaving } from "./project.ts";
import { projectKey, table } from "./table.ts";
import { MAX_TRANSACTION_ITEMS, transact } from "./transact.ts";

/** Anything in a project's partition, known by its keys alone. */
const AnyEntity = new Entity({
  name: "any",
  table,
  timestamps: false,
  entityAttribute: false,
  schema: item({ project_id: string().key(), sk: string().key() }),
  computeKey: ({ project_id, sk }) => ({ pk: projectKey(project_id), sk }),
});

/**
 * Deletes the project's items and objects, all but the project itself. Can be interrupted and repeated anywhere, and done by
 * several at once. Ends when it is done, or the project is forgotten: a client may give the id to another project then, and
 * names and ids to what is in it, which must not be taken for what was listed here.
 *
 *     items     deleted in transactions with the condition that the project is the same still
 *     objects   have keys that are used once: listed, then the project asked after, then deleted
 *
 * Links go first: a run or a stop that is under way finds its link gone and takes its objects back; a stop that came
 * after its capture's item went would make it anew. Objects go last, when nothing can add any.
 * @returns false when the project was found forgotten before its items were deleted.
 */
export async function sweepProject(project: ProjectItem): Promise<boolean> {
  const { project_id } = project;
  const isStill = () => isLeaving(project);
  const keys = await keysOf(project_id);
  const isCapture = (sk: string): boolean => sk.startsWith("CAPTURE#");
  const others = keys.filter((sk) => !isCapture(sk) && sk !== "META");
  if (!(await deleteItems(project, others)) || !(await deleteItems(project, keys.filter(isCapture))))
    return false;
  for (const prefix of projectPrefixes(project_id)) await deletePrefix(prefix, isStill);
  return true;
}

async function keysOf(projectId: string): Promise<string[]> {
  const { Items } = await table
    .build(QueryCommand)
    .query({ partition: projectKey(projectId) })
    .options({ consistent: true, maxPages: Number.POSITIVE_INFINITY, attributes: ["sk"] })
    .send();
  return (Items ?? []).map((stored) => String((stored as { sk: string }).sk));
}

/** A transaction takes 4 MB, and these have up to the 400 KB of an item: nine, and the project. */
const mayBeLarge = (sk: string): boolean => /^(NODE|LINK)#/.test(sk);
const LARGE_AT_ONCE = 9;
const OTHERS_AT_ONCE = MAX_TRANSACTION_ITEMS - 1;

/** @returns false when the project is not there any more. */
async function deleteItems(project: ProjectItem, keys: readonly string[]): Promise<boolean> {
  const large = keys.filter(mayBeLarge);
  const others = keys.filter((sk) => !mayBeLarge(sk));
  for (const batch of [...cut(large, LARGE_AT_ONCE), ...cut(others, OTHERS_AT_ONCE)]) {
    const deletions = batch.map((sk) =>
      AnyEntity.build(DeleteTransaction).key({ project_id: project.project_id, sk }),
    );
    // One after the other: transactions with the same item in them get into each other's way.
    if ((await transact([whileLeaving(project), ...deletions])).length > 0) return false;
  }
  return true;
}

const cut = <T>(all: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, index) =>
    all.slice(index * size, (index + 1) * size),
  );
