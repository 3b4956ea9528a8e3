/**
 * Creates a project together with everything in it: readers see all of it or nothing.
 *
 *     reserve   the project's item, marked like one that is being deleted: hidden from readers; its name is not claimed
 *     fill      objects and items of its parts
 *     reveal    transaction: the mark removed, the name claimed, the project counted
 *
 * When a step fails, or the sweeper finds the project of a request that died, it is removed like a project whose deletion was
 * interrupted.
 */
import { PutTransaction } from "dynamodb-toolbox/entity/actions/transactPut";
import { UpdateTransaction } from "dynamodb-toolbox/entity/actions/transactUpdate";
import { $remove } from "dynamodb-toolbox/entity/actions/update";
import type { Access } from "../../edge/access.ts";
import { failure } from "../../edge/errors.ts";
import { logger } from "../../edge/log.ts";
import type { ProjectSettings } from "../../schemas/project.ts";
import { storable } from "../base/document.ts";
import { deleteObjects, putObject } from "../base/objects.ts";
import { forEachParallel } from "../base/parallel.ts";
import { nowUs } from "../base/table.ts";
import { MAX_TRANSACTION_ITEMS, type Transaction, transact } from "../base/transact.ts";
import { LabStates, writeStates } from "../commit/lab-states.ts";
import { newFileKey } from "../file/file-key.ts";
import { type FileContent, FileEntity, type FileItem } from "../file/project-file.ts";
import { DrawingEntity, type DrawingItem } from "../lab/drawing.ts";
import { LinkEntity, type LinkItem } from "../lab/link.ts";
import {
  claimedConsole,
  NodeConsoleEntity,
  NodeEntity,
  NodeIndexEntity,
  type NodeItem,
  NodeNameEntity,
} from "../lab/node.ts";
import { quota, refuseOverQuota } from "../limits/quota.ts";
import { countProject } from "../limits/user-usage.ts";
import { ownerOfNew } from "../project/access.ts";
import {
  claimName,
  forgetProject,
  ProjectEntity,
  type ProjectItem,
  stillLeaving,
  whileLeaving,
} from "../project/project.ts";
import { putSettings, sharersOf } from "../project/project-settings.ts";
import { seenBy, showTo } from "../project/seen.ts";
import { withRoomFor } from "../project/stored-bytes.ts";
import { fromSettings } from "../project/stored-settings.ts";
import type { WholeProject } from "../project/whole-project.ts";
import { SnapshotEntity, type SnapshotItem, SnapshotNameEntity } from "../snapshot/snapshot.ts";
import { sweepItems } from "../sweep/sweep.ts";

interface ImportedFile extends FileContent {
  readonly bytes: () => Uint8Array;
  readonly size_bytes: number;
}

/** A snapshot and its objects, which are not stored yet. */
export interface ImportedSnapshot {
  readonly item: SnapshotItem;
  readonly objects: readonly {
    readonly key: string;
    readonly contentType: string;
    readonly bytes: () => Uint8Array;
  }[];
}

/** The parts of a lab, which fit each other. */
export interface ImportedLab {
  readonly nodes: readonly NodeItem[];
  readonly links: readonly LinkItem[];
  readonly drawings: readonly DrawingItem[];
  readonly files: readonly ImportedFile[];
  /** The lab's clock: the first run starts no earlier. */
  readonly clock_us?: number | undefined;
}

/** More states than this are stored apart, as after a large run: a node's item then stays within the kilobyte that a write unit has. */
const MOST_STATES_IN_ITEMS = 50;
/** No run has been committed yet. */
const BEFORE_RUNS = 0;

const PARALLEL_UPLOADS = 8;
const MOST_NAMES = 100;

/**
 * @param names the wished name, then others to use if it is taken.
 * @returns `id-taken` when a project has the id.
 * @throws ApiError `quota.*`, `store.too-large`, `store.busy`, `project.name-taken` when all names are taken.
 */
export async function importProject(
  access: Access,
  project_id: string,
  names: Iterable<string>,
  settings: ProjectSettings,
  imported: ImportedLab,
  snapshots: readonly ImportedSnapshot[],
): Promise<WholeProject | "id-taken"> {
  storable("project", settings);
  for (const { document } of imported.nodes) storable("node", document);
  for (const { document } of imported.links) storable("link", document);
  const withBytes = [...imported.files, ...snapshots.map(({ item }) => item)];
  const bytes = withBytes.reduce((sum, { size_bytes }) => sum + size_bytes, 0);
  const usage = {
    node_count: imported.nodes.length,
    link_count: imported.links.length,
    drawing_count: imported.drawings.length,
    file_count: imported.files.length,
    snapshot_count: snapshots.length,
    stored_bytes: bytes,
  };
  refuseOverQuota({}, usage);
  const { lab, states } = await withStatesApart(project_id, imported);
  const [first = ""] = names;
  const hidden: ProjectItem = {
    project_id,
    name: first,
    filename: `${first}.gns3`,
    status: "closed",
    created_us: nowUs(),
    listing: "DELETING",
    deleting: true,
    revision: 1,
    settings_revision: 1,
    owner: ownerOfNew(access),
    capture_count: 0,
    clock_us: lab.clock_us,
    states: states?.name,
    ...usage,
    ...fromSettings(settings),
  };
  const refused = await transact({
    project: ProjectEntity.build(PutTransaction)
      .item(hidden)
      .options({ condition: { attr: "project_id", exists: false } }),
  });
  if (refused.size > 0) return "id-taken";
  const fileKeys = lab.files.map(() => newFileKey(project_id));
  const keys = [
    ...(states ? [states.key] : []),
    ...fileKeys,
    ...snapshots.flatMap(({ objects }) => objects.map(({ key }) => key)),
  ];
  try {
    await withRoomFor(bytes, hidden.owner, async () => {
      await fill(hidden, lab, fileKeys, snapshots);
      return true;
    });
    return await reveal(hidden, names, settings);
  } catch (error) {
    await remove(hidden, keys).catch((again: unknown) => {
      logger.warn("A failed import is left to the sweeper", { project_id, error: again as Error });
    });
    throw error;
  }
}

interface StoredLab {
  readonly lab: ImportedLab;
  /** Where the states are that are stored apart. */
  readonly states?: { readonly key: string; readonly name: string };
}

/** Stores the states of many nodes as one object. Of an import that fails before its project exists, the sweeper deletes it. */
async function withStatesApart(projectId: string, lab: ImportedLab): Promise<StoredLab> {
  const isApart = ({ state, document }: NodeItem) => state !== undefined && document.node_type !== "linux";
  const apart = lab.nodes.filter(isApart);
  if (apart.length <= MOST_STATES_IN_ITEMS) return { lab };
  const entries = apart.map(({ node_id: id, created_us, state }) => ({ id, created_us, value: state! }));
  const states = await writeStates(projectId, new LabStates().after(BEFORE_RUNS, entries, []));
  const nodes = lab.nodes.map((node) => (isApart(node) ? { ...node, state: undefined } : node));
  return { lab: { ...lab, nodes }, states };
}

/** Writes in transactions on condition that the project is still the same: the sweeper may take it for an interrupted deletion. */
async function fill(
  hidden: ProjectItem,
  lab: ImportedLab,
  keys: readonly string[],
  snapshots: readonly ImportedSnapshot[],
): Promise<void> {
  const { project_id } = hidden;
  const files = lab.files.map(({ bytes, ...file }, index): FileItem & { bytes: () => Uint8Array } => {
    return { ...file, project_id, object_key: keys[index]!, modified_ms: Date.now(), bytes };
  });
  const objects = [
    ...files.map(({ object_key: key, content_type: contentType, bytes }) => ({ key, contentType, bytes })),
    ...snapshots.flatMap((snapshot) => snapshot.objects),
  ];
  await forEachParallel(objects, PARALLEL_UPLOADS, ({ key, contentType, bytes }) =>
    putObject(key, bytes(), contentType),
  );
  const puts = [
    ...lab.nodes.flatMap((node) => [
      sized(NodeEntity.build(PutTransaction).item(node), node),
      ...claimsOf(node).map((claim) => sized(claim, {})),
    ]),
    ...lab.links.map((link) => sized(LinkEntity.build(PutTransaction).item(link), link)),
    ...lab.drawings.map((drawing) => sized(DrawingEntity.build(PutTransaction).item(drawing), drawing)),
    ...files.map(({ bytes: _content, ...file }) => sized(FileEntity.build(PutTransaction).item(file), file)),
    ...snapshots.flatMap(({ item }) => snapshotPuts(item).map((step) => sized(step, item))),
  ];
  // One transaction after the other: transactions with an item in common conflict.
  for (const batch of batches(puts)) {
    const refused = await transact({ project: whileLeaving(hidden), parts: batch });
    if (refused.size > 0) throw failure("store.busy");
  }
}

interface SizedPut {
  readonly step: Transaction;
  readonly bytes: number;
}

const sized = (step: Transaction, item: object): SizedPut => ({
  step,
  bytes: Buffer.byteLength(JSON.stringify(item)),
});

/** A transaction holds 4 MB; this much leaves room for the names around the values. */
const MAX_TRANSACTION_BYTES = 2_500_000;

function batches(puts: readonly SizedPut[]): Transaction[][] {
  const result: Transaction[][] = [];
  let room = 0;
  for (const { step, bytes } of puts) {
    const last = result.at(-1);
    if (last !== undefined && last.length < MAX_TRANSACTION_ITEMS - 1 && bytes <= room) {
      last.push(step);
      room -= bytes;
    } else {
      result.push([step]);
      room = MAX_TRANSACTION_BYTES - bytes;
    }
  }
  return result;
}

function claimsOf(node: NodeItem): Transaction[] {
  const { project_id, node_id, name, index } = node;
  const claimed_console = claimedConsole(node);
  return [
    NodeNameEntity.build(PutTransaction).item({ project_id, claimed: name, node_id }),
    ...(index === undefined
      ? []
      : [NodeIndexEntity.build(PutTransaction).item({ project_id, claimed_index: index, node_id })]),
    ...(claimed_console === null
      ? []
      : [NodeConsoleEntity.build(PutTransaction).item({ project_id, claimed_console, node_id })]),
  ];
}

function snapshotPuts(snapshot: SnapshotItem): Transaction[] {
  const { project_id, snapshot_id, name } = snapshot;
  return [
    SnapshotEntity.build(PutTransaction).item(snapshot),
    SnapshotNameEntity.build(PutTransaction).item({ project_id, claimed: name, snapshot_id }),
  ];
}

/** Removes the project again, so that its id is free. */
async function remove(hidden: ProjectItem, keys: readonly string[]): Promise<void> {
  if (!(await sweepItems(hidden))) return;
  if (keys.length > 0) await deleteObjects(keys);
  await forgetProject(hidden);
}

async function reveal(
  hidden: ProjectItem,
  names: Iterable<string>,
  settings: ProjectSettings,
): Promise<WholeProject> {
  const { project_id, owner } = hidden;
  let tries = 0;
  for (const name of names) {
    tries += 1;
    if (tries > MOST_NAMES) break;
    const shown = {
      name,
      filename: `${name}.gns3`,
      listing: "PROJECTS" as const,
      seen_by: seenBy(owner),
      counted_for: owner,
    };
    const refused = await transact({
      project: ProjectEntity.build(UpdateTransaction)
        .item({
          project_id,
          ...shown,
          counted_for: owner ?? $remove(),
          deleting: $remove(),
        })
        .options(stillLeaving(hidden)),
      name: claimName({ project_id, name, owner }),
      count: owner === undefined ? undefined : countProject(owner),
      settings: putSettings(project_id, 1, settings),
      lists: showTo(hidden, sharersOf(settings)),
    });
    if (refused.size === 0) {
      const { deleting: _hidden, ...rest } = hidden;
      return { project: { ...rest, ...shown }, settings };
    }
    // The sweeper has taken it for the project of a request that died.
    if (refused.has("project")) throw failure("store.busy");
    if (refused.has("count"))
      throw failure("quota.projects", { limit: quota("quota_projects"), user: String(owner) });
  }
  throw failure("project.name-taken", { name: hidden.name });
}
