/** Removes objects and items without references, which runs that died before their commit and interrupted deletions leave. */
import { SERVICE } from "../shared/edge/access.ts";
import { count } from "../shared/edge/metrics.ts";
import { deleteObjects, type StoredObject } from "../shared/store/base/objects.ts";
import { readItems, readTopology } from "../shared/store/contents/read.ts";
import { readWithKept } from "../shared/store/deletion/forget-deletions.ts";
import { projectOfFileKey } from "../shared/store/file/file-key.ts";
import { listFiles } from "../shared/store/file/project-file.ts";
import { type ObjectPlace, placeOfKey } from "../shared/store/lab/capture-objects.ts";
import { guestOf, placeOfGuestKey } from "../shared/store/lab/guest-state.ts";
import { forgetPages } from "../shared/store/lab/segment.ts";
import { listSnapshots, objectsOf } from "../shared/store/snapshot/snapshot.ts";
import { projectOfSnapshotKey } from "../shared/store/snapshot/snapshot-objects.ts";
import { isSymbolKey, listSymbols } from "../shared/store/symbol/symbol.ts";
import { readReferences } from "./references.ts";

/**
 * @param objects old enough that no request that knows of them can still be running: any item that is to refer to one of them
 *   exists by now, so an object without a reference never gets one.
 */
export async function removeOrphans(objects: readonly StoredObject[]): Promise<void> {
  await remove(await orphanedSymbols(objects.filter(({ key }) => isSymbolKey(key))));
  await removeOrphanedFiles(objects);
  await removeOrphanedSnapshots(objects);
  await removeOrphanedGuests(objects);
  const byProject = Map.groupBy(
    objects.filter(({ key }) => placeOfKey(key)),
    ({ key }) => placeOfKey(key)!.projectId,
  );
  for (const [projectId, own] of byProject) await removeFromProject(projectId, own);
}

async function orphanedSymbols(objects: readonly StoredObject[]): Promise<StoredObject[]> {
  if (objects.length === 0) return [];
  const used = new Set((await listSymbols()).map((symbol) => symbol.object_key));
  return objects.filter(({ key }) => !used.has(key));
}

async function removeOrphanedFiles(objects: readonly StoredObject[]): Promise<void> {
  for (const [projectId, own] of Map.groupBy(objects, ({ key }) => projectOfFileKey(key))) {
    if (projectId === undefined) continue;
    await makePendingChanges(projectId);
    const used = new Set((await listFiles(projectId)).map(({ object_key }) => object_key));
    await remove(own.filter(({ key }) => !used.has(key)));
  }
}

async function removeOrphanedSnapshots(objects: readonly StoredObject[]): Promise<void> {
  for (const [projectId, own] of Map.groupBy(objects, ({ key }) => projectOfSnapshotKey(key))) {
    if (projectId === undefined) continue;
    await makePendingChanges(projectId);
    const { found, kept } = await readWithKept(projectId, () => listSnapshots(projectId));
    const used = new Set(found.flatMap(objectsOf));
    await remove(own.filter(({ key }) => !used.has(key) && !kept.keys.has(key)));
  }
}

async function removeOrphanedGuests(objects: readonly StoredObject[]): Promise<void> {
  for (const [projectId, own] of Map.groupBy(objects, ({ key }) => placeOfGuestKey(key)?.projectId)) {
    if (projectId === undefined) continue;
    // Also makes the changes of a pending commit.
    const { found, kept } = await readWithKept(projectId, () => readTopology(SERVICE, projectId, "topology"));
    // The item of a node that was stopped by the close of its project still has the name of a state.
    const used = new Set(found.nodes.filter(({ status }) => status !== "stopped").map(guestOf));
    await remove(own.filter(({ key }) => !used.has(placeOfGuestKey(key)!.guest) && !kept.keys.has(key)));
  }
}

/** A pending commit may write items that name objects. */
const makePendingChanges = (projectId: string): Promise<unknown> => readItems(SERVICE, projectId, {});

async function removeFromProject(projectId: string, objects: readonly StoredObject[]): Promise<void> {
  const { states, captures, segments, leftovers, kept } = await readReferences(projectId);
  await forgetPages(projectId, leftovers);
  const files = new Set(captures.map(({ capture_id }) => capture_id));
  const read: ReadonlySet<string | undefined> = new Set(
    [...segments.values()].flat().map(({ object_id }) => object_id),
  );
  const isUsed = ({ captureId, objectId, statesName }: ObjectPlace): boolean => {
    if (statesName !== undefined) return statesName === states;
    if (captureId !== undefined) return files.has(captureId) || kept.captures.has(captureId);
    // A commit's object is not used any more: reading the references has made the changes of a pending commit.
    return objectId !== undefined && (read.has(objectId) || kept.segments.has(objectId));
  };
  await remove(objects.filter(({ key }) => !isUsed(placeOfKey(key)!)));
}

async function remove(orphans: readonly StoredObject[]): Promise<void> {
  if (orphans.length === 0) return;
  await deleteObjects(orphans.map(({ key }) => key));
  count("SweptObjects", orphans.length);
  count(
    "SweptBytes",
    orphans.reduce((sum, { bytes }) => sum + bytes, 0),
  );
}
