/** Removes everything in a project, however much. */

import { Entity } from "dynamodb-toolbox/entity";
import { BatchDeleteRequest } from "dynamodb-toolbox/entity/actions/batchDelete";
import { item } from "dynamodb-toolbox/schema/item";
import { string } from "dynamodb-toolbox/schema/string";
import { QueryCommand } from "dynamodb-toolbox/table/actions/query";
import { batchDelete } from "./batch.ts";
import { forgetSegments, listCaptures } from "./capture.ts";
import { projectPrefixes } from "./capture-objects.ts";
import { deletePrefix } from "./objects.ts";
import { projectKey, table } from "./table.ts";

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
 * Deletes the project's items and objects, all but the project itself. Can be interrupted and repeated anywhere.
 *
 * Links go first: a run or a stop that is under way finds its link gone and takes its objects back. Objects go last,
 * when nothing can add any; captures' items go after their segments, whose keys they tell.
 */
export async function sweepProject(projectId: string): Promise<void> {
  const keys = await keysOf(projectId);
  const isCapture = (sk: string): boolean => sk.startsWith("CAPTURE#");
  await deleteItems(
    projectId,
    keys.filter((sk) => !isCapture(sk) && sk !== "META"),
  );
  for (const { capture_id } of await listCaptures(projectId)) await forgetSegments(projectId, capture_id);
  await deleteItems(projectId, keys.filter(isCapture));
  for (const prefix of projectPrefixes(projectId)) await deletePrefix(prefix);
}

async function keysOf(projectId: string): Promise<string[]> {
  const { Items } = await table
    .build(QueryCommand)
    .query({ partition: projectKey(projectId) })
    .options({ consistent: true, maxPages: Number.POSITIVE_INFINITY, attributes: ["sk"] })
    .send();
  return (Items ?? []).map((stored) => String((stored as { sk: string }).sk));
}

const deleteItems = (projectId: string, keys: readonly string[]): Promise<void> =>
  batchDelete(
    keys.map((sk) => AnyEntity.build(BatchDeleteRequest).key({ project_id: projectId, sk })) as never,
  );
