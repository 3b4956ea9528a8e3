/**
 * Parts of a lab that were deleted, for an hour.
 *
 *     delete    an object with the parts' items; then one transaction removes these items and writes the deletion, which names the object
 *     undo      one transaction writes the items and removes the deletion; then the object is deleted
 *     forget    after an hour the sweeper removes the deletion, then its object, packets and states of guests
 *
 * Meanwhile the packets of captures and the states of guests stay where they are. The deletion names them for the sweeper, and the project
 * goes on counting their bytes. Claims of names and numbers are free at once.
 */
import { gunzipSync, gzipSync } from "node:zlib";
import { Entity, type FormattedItem } from "dynamodb-toolbox/entity";
import { GetItemCommand } from "dynamodb-toolbox/entity/actions/get";
import { DeleteTransaction } from "dynamodb-toolbox/entity/actions/transactDelete";
import { PutTransaction } from "dynamodb-toolbox/entity/actions/transactPut";
import { UpdateTransaction } from "dynamodb-toolbox/entity/actions/transactUpdate";
import { $add } from "dynamodb-toolbox/entity/actions/update";
import { item } from "dynamodb-toolbox/schema/item";
import { list } from "dynamodb-toolbox/schema/list";
import { map } from "dynamodb-toolbox/schema/map";
import { number } from "dynamodb-toolbox/schema/number";
import { string } from "dynamodb-toolbox/schema/string";
import { QueryCommand } from "dynamodb-toolbox/table/actions/query";
import { failure, failureOf } from "../../edge/errors.ts";
import { DELETION_ERRORS } from "../../edge/own-errors/deletion.ts";
import type { Deletion } from "../../schemas/deletion.ts";
import { readObject } from "../base/objects.ts";
import { projectKey, table } from "../base/table.ts";
import type { Transaction } from "../base/transact.ts";
import { when } from "../base/when.ts";
import type { CaptureItem } from "../lab/capture.ts";
import type { DrawingItem } from "../lab/drawing.ts";
import { guestKeysOf } from "../lab/guest-state.ts";
import type { LinkItem } from "../lab/link.ts";
import type { NodeItem } from "../lab/node.ts";
import { counting, roomFor, type Usage } from "../limits/quota.ts";
import { ProjectEntity } from "../project/project.ts";

const KEPT_MS = 3_600_000;

const DeletionEntity = new Entity({
  name: "deletion",
  table,
  timestamps: false,
  schema: item({
    project_id: string().key(),
    deletion_id: string().key(),
    created_us: number(),
    expires_ms: number(),
    /** The object with the parts, and its size. */
    object_key: string(),
    size_bytes: number(),
    /** Bytes of packets and states of guests, which the project counts. */
    held_bytes: number(),
    nodes: list(map({ node_id: string(), name: string() })),
    links: list(string()),
    drawings: list(string()),
    captures: list(map({ link_id: string(), capture_id: string(), file_name: string() })),
    /** The objects with recent segments of captures; pages name the others. */
    segments: list(string()),
    guest_keys: list(string()),
  }),
  computeKey: ({ project_id, deletion_id }) => ({
    pk: projectKey(project_id),
    sk: `DELETED#${deletion_id}`,
  }),
});

export type DeletionItem = FormattedItem<typeof DeletionEntity>;

/** The items of deleted parts, as they were. */
export interface DeletedParts {
  readonly nodes: readonly NodeItem[];
  readonly links: readonly LinkItem[];
  readonly drawings: readonly DrawingItem[];
  readonly captures: readonly CaptureItem[];
}

export const packParts = (parts: DeletedParts): Uint8Array => gzipSync(JSON.stringify(parts));

/** @returns undefined when another request undid the deletion meanwhile, or the sweeper has forgotten it. */
export async function readParts({
  project_id,
  deletion_id,
  object_key,
}: DeletionItem): Promise<DeletedParts | undefined> {
  const bytes = await readObject(object_key);
  if (bytes !== undefined) return JSON.parse(gunzipSync(bytes).toString()) as DeletedParts;
  if ((await getDeletion(project_id, deletion_id)) === undefined) return undefined;
  const detail = `${object_key} is missing from the bucket`;
  throw failure("store.damaged", { what: `deletion ${deletion_id}`, detail });
}

/** @param heldBytes of the captures' packets. */
export function newDeletion(
  own: Pick<DeletionItem, "project_id" | "deletion_id" | "object_key" | "size_bytes" | "created_us">,
  { nodes, links, drawings, captures }: DeletedParts,
  heldBytes: number,
): DeletionItem {
  const recent = [...captures, ...links.flatMap(({ capture }) => capture ?? [])].flatMap(
    (capture) => capture.recent ?? [],
  );
  return {
    ...own,
    expires_ms: Math.floor(own.created_us / 1000) + KEPT_MS,
    held_bytes: heldBytes + nodes.reduce((sum, { guest_bytes = 0 }) => sum + guest_bytes, 0),
    nodes: nodes.map(({ node_id, name }) => ({ node_id, name })),
    links: links.map(({ link_id }) => link_id),
    drawings: drawings.map(({ drawing_id }) => drawing_id),
    captures: captures.map(({ link_id, capture_id, file_name }) => ({ link_id, capture_id, file_name })),
    segments: [...new Set(recent.flatMap(({ object_id }) => object_id ?? []))],
    guest_keys: guestKeysOf(nodes),
  };
}

export function toDeletion(stored: DeletionItem): Deletion {
  const { project_id, deletion_id, created_us, expires_ms, nodes, links, drawings, captures } = stored;
  const created_at = new Date(created_us / 1000).toISOString();
  const expires_at = new Date(expires_ms).toISOString();
  const own = { project_id, deletion_id, created_at, expires_at };
  return { ...own, nodes, links, drawings, captures: captures.length };
}

export async function getDeletion(
  project_id: string,
  deletion_id: string,
): Promise<DeletionItem | undefined> {
  const { Item } = await DeletionEntity.build(GetItemCommand)
    .key({ project_id, deletion_id })
    .options({ consistent: true })
    .send();
  return Item;
}

/** @throws ApiError `deletion.not-found`, also for one that has expired. */
export function existingDeletion(stored: DeletionItem | undefined, deletionId: string): DeletionItem {
  if (stored !== undefined && stored.expires_ms > Date.now()) return stored;
  throw failureOf(DELETION_ERRORS, "deletion.not-found", { deletion_id: deletionId });
}

/** Lists the deletions of a project, also those that have expired, oldest first. */
export async function listDeletions(projectId: string): Promise<DeletionItem[]> {
  const { Items } = await table
    .build(QueryCommand)
    .query({ partition: projectKey(projectId), range: { beginsWith: "DELETED#" } })
    .entities(DeletionEntity)
    .options({ consistent: true, maxPages: Number.POSITIVE_INFINITY })
    .send();
  return (Items ?? []).sort((one, other) => one.created_us - other.created_us);
}

export const noteDeletion = (deletion: DeletionItem): Transaction =>
  DeletionEntity.build(PutTransaction)
    .item(deletion)
    .options(when(DeletionEntity, { deletion_id: undefined }));

export const forgetDeletion = ({ project_id, deletion_id }: DeletionItem): Transaction =>
  DeletionEntity.build(DeleteTransaction)
    .key({ project_id, deletion_id })
    .options(when(DeletionEntity, { attr: "deletion_id", exists: true }));

type Counted = -1 | 1;

/**
 * Returns the step that counts a deletion, or its undo, in the opened project.
 * @param run as it was read; absent if runs meanwhile do no harm.
 */
export const countInProject = (
  projectId: string,
  deletions: Counted,
  added: Usage,
  run?: { readonly run: number | undefined },
): Transaction =>
  ProjectEntity.build(UpdateTransaction)
    .item({ project_id: projectId, contents: $add(1), deletions: $add(deletions), ...counting(added) })
    .options(
      when(
        ProjectEntity,
        { status: "opened", deleting: undefined, pending: undefined, ...run },
        ...(deletions === -1 ? roomFor(added) : []),
      ),
    );

/** Returns the step that counts a forgotten deletion in a project that exists. */
export const countForgotten = ({ project_id, size_bytes, held_bytes }: DeletionItem): Transaction =>
  ProjectEntity.build(UpdateTransaction)
    .item({ project_id, deletions: $add(-1), ...counting({ stored_bytes: -size_bytes - held_bytes }) })
    .options(when(ProjectEntity, { pending: undefined }, { attr: "status", exists: true }));
