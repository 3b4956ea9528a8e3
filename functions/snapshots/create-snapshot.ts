import { newId } from "../shared/edge/idempotency.ts";
import type { Operation } from "../shared/edge/operation.ts";
import { bytesOf, copyFiles, keysOf } from "../shared/lab-copy/copy-files.ts";
import { copyGuests, guestsOf, withGuestObjects } from "../shared/lab-copy/copy-guests.ts";
import { type LabCopy, packLab } from "../shared/lab-copy/lab-copy.ts";
import { readLab, toLabCopy } from "../shared/lab-copy/read-lab.ts";
import { discardObjects, keepIfWritten, putObject } from "../shared/store/base/objects.ts";
import { nowUs } from "../shared/store/base/table.ts";
import { STALE, untilFresh } from "../shared/store/base/transact.ts";
import { readItems } from "../shared/store/contents/read.ts";
import { refuseOverQuota } from "../shared/store/limits/quota.ts";
import { existingProject, openedProject, type ProjectItem } from "../shared/store/project/project.ts";
import { withRoomFor } from "../shared/store/project/stored-bytes.ts";
import {
  getSnapshot,
  type SnapshotItem,
  createSnapshot as storeSnapshot,
  toSnapshot,
} from "../shared/store/snapshot/snapshot.ts";
import { newSnapshotKey } from "../shared/store/snapshot/snapshot-objects.ts";
import type { group } from "./routes.ts";

export const createSnapshot: Operation<typeof group.routes.createSnapshot> = async ({
  access,
  params: { project_id },
  body: { name },
  receipt,
}) => {
  const snapshot_id = newId({ receipt }, "snapshot");
  const own = { project_id, snapshot_id, name };
  const snapshot = await untilFresh(async () => {
    openedProject((await readItems(access, project_id, {})).project, project_id);
    // The client repeats a request whose response was lost.
    const existing = receipt && (await getSnapshot(project_id, snapshot_id));
    if (existing) return existing;
    const lab = await readLab(access, project_id);
    return (await takeSnapshot(own, lab.whole.project, toLabCopy(lab))) ?? STALE;
  });
  return { status: 201, body: toSnapshot(snapshot) };
};

/** @returns undefined when a file or a guest's state was replaced after the lab was read, or the project accepts no changes. */
async function takeSnapshot(
  own: Pick<SnapshotItem, "project_id" | "snapshot_id" | "name">,
  project: ProjectItem,
  lab: LabCopy,
): Promise<SnapshotItem | undefined> {
  const { project_id, snapshot_id } = own;
  const makeKey = () => newSnapshotKey(project_id, snapshot_id);
  const named = await withGuestObjects(project_id, lab);
  const copy = named && (await copyGuests(named, makeKey));
  if (copy === undefined) return undefined;
  const guests = guestsOf(copy);
  const files = await copyFiles(copy.files, makeKey);
  if (files === undefined) {
    await discardObjects(keysOf(guests));
    return undefined;
  }
  const file_keys = keysOf([...files, ...guests]);
  const object_key = makeKey();
  const stored: SnapshotItem[] = [];
  const write = async (): Promise<boolean> => {
    const bytes = packLab({ ...copy, files });
    const size_bytes = bytes.length + bytesOf(files) + bytesOf(guests);
    refuseOverQuota(existingProject(project, project_id), { snapshot_count: 1, stored_bytes: size_bytes });
    return withRoomFor(size_bytes, project.owner, async () => {
      await putObject(object_key, bytes, "application/gzip");
      const snapshot = { ...own, created_us: nowUs(), object_key, file_keys, size_bytes };
      stored.push(snapshot);
      return storeSnapshot(snapshot);
    });
  };
  return (await keepIfWritten([object_key, ...file_keys], write())) ? stored[0] : undefined;
}
