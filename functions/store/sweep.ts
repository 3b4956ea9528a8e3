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
 * Deletes the project's objects and items, all but the project itself. Can be interrupted and repeated anywhere: a
 * capture's item goes after its objects and segments.
 */
export async function sweepProject(projectId: string): Promise<void> {
  const captures = await listCaptures(projectId);
  for (const prefix of projectPrefixes(projectId)) await deletePrefix(prefix);
  for (const { capture_id } of captures) await forgetSegments(projectId, capture_id);
  const { Items } = await table
    .build(QueryCommand)
    .query({ partition: projectKey(projectId) })
    .options({ consistent: true, maxPages: Number.POSITIVE_INFINITY, attributes: ["sk"] })
    .send();
  const keys = (Items ?? [])
    .map((stored) => String((stored as { sk: string }).sk))
    .filter((sk) => sk !== "META");
  await batchDelete(
    keys.map((sk) => AnyEntity.build(BatchDeleteRequest).key({ project_id: projectId, sk })) as never,
  );
}
