/**
 * Snapshots. The bytes are written first and the item second, so a snapshot that is listed is whole; a deletion removes the item first.
 * The sweeper deletes the bytes that an interruption leaves.
 */
import { Entity, type FormattedItem } from "dynamodb-toolbox/entity";
import { GetItemCommand } from "dynamodb-toolbox/entity/actions/get";
import { DeleteTransaction } from "dynamodb-toolbox/entity/actions/transactDelete";
import { PutTransaction } from "dynamodb-toolbox/entity/actions/transactPut";
import { item } from "dynamodb-toolbox/schema/item";
import { list } from "dynamodb-toolbox/schema/list";
import { number } from "dynamodb-toolbox/schema/number";
import { string } from "dynamodb-toolbox/schema/string";
import { QueryCommand } from "dynamodb-toolbox/table/actions/query";
import { failureOf } from "../../edge/errors.ts";
import { SNAPSHOT_ERRORS } from "../../edge/own-errors/snapshot.ts";
import type { Snapshot } from "../../schemas/snapshot.ts";
import { projectKey, table } from "../base/table.ts";
import { holdsAll, type Transaction, transact } from "../base/transact.ts";
import { addWhileOpened, discount } from "../project/project.ts";

export const SnapshotEntity = new Entity({
  name: "snapshot",
  table,
  timestamps: false,
  schema: item({
    project_id: string().key(),
    snapshot_id: string().key(),
    name: string(),
    created_us: number(),
    /** The document of the lab. */
    object_key: string(),
    /** The project files and the states of guests that the document names. */
    file_keys: list(string()).optional(),
    /** Size of all these objects. */
    size_bytes: number(),
  }),
  computeKey: ({ project_id, snapshot_id }) => ({
    pk: projectKey(project_id),
    sk: `SNAPSHOT#${snapshot_id}`,
  }),
});
export type SnapshotItem = FormattedItem<typeof SnapshotEntity>;

const NameEntity = new Entity({
  name: "snapshot-name",
  table,
  timestamps: false,
  schema: item({ project_id: string().key(), claimed: string().key(), snapshot_id: string() }),
  computeKey: ({ project_id, claimed }) => ({ pk: projectKey(project_id), sk: `TAKEN_SNAPSHOT#${claimed}` }),
});

export { NameEntity as SnapshotNameEntity };

export function toSnapshot({ project_id, snapshot_id, name, created_us }: SnapshotItem): Snapshot {
  const created_at = Math.floor(created_us / 1e6);
  const [day, time] = new Date(created_at * 1000).toISOString().slice(0, 19).split("T");
  return {
    project_id,
    snapshot_id,
    name,
    created_at,
    description: `Snapshot '${name}' taken on ${day} at ${time}`,
    filename: `${name}.gns3snapshot`,
  };
}

export async function getSnapshot(
  project_id: string,
  snapshot_id: string,
): Promise<SnapshotItem | undefined> {
  const { Item } = await SnapshotEntity.build(GetItemCommand)
    .key({ project_id, snapshot_id })
    .options({ consistent: true })
    .send();
  return Item;
}

/** @throws ApiError `snapshot.not-found` */
export function existingSnapshot(stored: SnapshotItem | undefined, snapshotId: string): SnapshotItem {
  if (stored === undefined)
    throw failureOf(SNAPSHOT_ERRORS, "snapshot.not-found", { snapshot_id: snapshotId });
  return stored;
}

/** Lists the snapshots of a project, oldest first. */
export async function listSnapshots(projectId: string): Promise<SnapshotItem[]> {
  const { Items } = await table
    .build(QueryCommand)
    .query({ partition: projectKey(projectId), range: { beginsWith: "SNAPSHOT#" } })
    .entities(SnapshotEntity)
    .options({ consistent: true, maxPages: Number.POSITIVE_INFINITY })
    .send();
  return (Items ?? []).sort((one, other) => one.created_us - other.created_us);
}

/**
 * Makes written objects a snapshot, and claims its name.
 * @returns false when the project accepts no changes or has no room, or the snapshot exists.
 * @throws ApiError `snapshot.name-taken`
 */
export async function createSnapshot(snapshot: SnapshotItem): Promise<boolean> {
  const { project_id, snapshot_id, name, size_bytes } = snapshot;
  const refused = await transact({
    project: addWhileOpened(project_id, { snapshot_count: 1, stored_bytes: size_bytes }),
    snapshot: SnapshotEntity.build(PutTransaction)
      .item(snapshot)
      .options({ condition: { attr: "snapshot_id", exists: false } }),
    name: claimSnapshotName(project_id, name, snapshot_id),
  });
  if (!refused.has("snapshot") && refused.has("name"))
    throw failureOf(SNAPSHOT_ERRORS, "snapshot.name-taken", { name });
  return refused.size === 0;
}

const claimSnapshotName = (project_id: string, claimed: string, snapshot_id: string): Transaction =>
  NameEntity.build(PutTransaction)
    .item({ project_id, claimed, snapshot_id })
    .options({ condition: { attr: "claimed", exists: false } });

/** @returns false when another request deleted the snapshot, or a commit is pending in the project. */
export const forgetSnapshot = ({
  project_id,
  snapshot_id,
  name,
  size_bytes,
}: SnapshotItem): Promise<boolean> =>
  holdsAll([
    discount(project_id, { snapshot_count: 1, stored_bytes: size_bytes }),
    SnapshotEntity.build(DeleteTransaction)
      .key({ project_id, snapshot_id })
      .options({ condition: { attr: "snapshot_id", exists: true } }),
    NameEntity.build(DeleteTransaction).key({ project_id, claimed: name }),
  ]);

export const objectsOf = ({ object_key, file_keys = [] }: SnapshotItem): string[] => [
  object_key,
  ...file_keys,
];
