/** Copies the snapshots of a project into another one. */
import { bytesOf, copyFiles, keysOf } from "../shared/lab-copy/copy-files.ts";
import { copyGuests, guestsOf } from "../shared/lab-copy/copy-guests.ts";
import { packLab, unpackLab } from "../shared/lab-copy/lab-copy.ts";
import { withNewIds } from "../shared/lab-copy/new-ids.ts";
import { putObject, readObject } from "../shared/store/base/objects.ts";
import { listSnapshots, type SnapshotItem } from "../shared/store/snapshot/snapshot.ts";
import { newSnapshotKey } from "../shared/store/snapshot/snapshot-objects.ts";

/**
 * @param makeId returns the new id of a part by its old one, so that a restored snapshot has the same ids as the copied project.
 * @param keys receives the keys of the written objects.
 * @returns the snapshots, which are not stored yet, or undefined when one of them was deleted meanwhile.
 */
export async function copySnapshots(
  from: string,
  to: string,
  makeId: (id: string) => string,
  keys: string[],
): Promise<SnapshotItem[] | undefined> {
  const copies: SnapshotItem[] = [];
  for (const snapshot of await listSnapshots(from)) {
    const snapshot_id = makeId(snapshot.snapshot_id);
    const makeKey = () => newSnapshotKey(to, snapshot_id);
    const bytes = await readObject(snapshot.object_key);
    if (bytes === undefined) return undefined;
    const old = withNewIds(unpackLab(bytes, `snapshot ${snapshot.snapshot_id}`), makeId);
    const files = await copyFiles(old.files, makeKey);
    if (files === undefined) return undefined;
    keys.push(...keysOf(files));
    const lab = await copyGuests(old, makeKey);
    if (lab === undefined) return undefined;
    const guests = guestsOf(lab);
    keys.push(...keysOf(guests));
    const file_keys = keysOf([...files, ...guests]);
    const object_key = makeKey();
    const packed = packLab({ ...lab, files });
    keys.push(object_key);
    await putObject(object_key, packed, "application/gzip");
    const size_bytes = packed.length + bytesOf(files) + bytesOf(guests);
    copies.push({ ...snapshot, project_id: to, snapshot_id, object_key, file_keys, size_bytes });
  }
  return copies;
}
