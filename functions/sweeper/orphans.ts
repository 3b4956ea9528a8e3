/** Objects that nothing in the table refers to, such as a run leaves that died before its commit. */
import { count } from "../api/metrics.ts";
import { type CaptureItem, forgetSegments, listCaptures, listSegments } from "../store/capture.ts";
import { captureOfKey } from "../store/capture-objects.ts";
import { deleteObjects, type StoredObject } from "../store/objects.ts";
import { readItems } from "../store/read.ts";
import { isSymbolKey, listSymbols } from "../store/symbol.ts";

/**
 * @param objects so old that no request which knows of them can be under way: whatever is to refer to one of them does
 *   so by now, and what refers to none of them now never will.
 */
export async function removeOrphans(objects: readonly StoredObject[]): Promise<void> {
  await remove(await orphanedSymbols(objects.filter(({ key }) => isSymbolKey(key))));
  const byProject = Map.groupBy(
    objects.filter(({ key }) => captureOfKey(key)),
    ({ key }) => captureOfKey(key)!.projectId,
  );
  for (const [projectId, own] of byProject) await removeFromProject(projectId, own);
}

async function orphanedSymbols(objects: readonly StoredObject[]): Promise<StoredObject[]> {
  if (objects.length === 0) return [];
  const used = new Set((await listSymbols()).map((symbol) => symbol.object_key));
  return objects.filter(({ key }) => !used.has(key));
}

async function removeFromProject(projectId: string, objects: readonly StoredObject[]): Promise<void> {
  // Writes out a run that is committed and pending: its segments are referred to by nothing else yet.
  await readItems(projectId, {});
  const captures = new Map((await listCaptures(projectId)).map((capture) => [capture.capture_id, capture]));
  const byCapture = Map.groupBy(objects, ({ key }) => captureOfKey(key)!.captureId);
  for (const [captureId, own] of byCapture) {
    await removeFromCapture(projectId, captureId, captures.get(captureId), own);
  }
}

async function removeFromCapture(
  projectId: string,
  captureId: string,
  capture: CaptureItem | undefined,
  objects: readonly StoredObject[],
): Promise<void> {
  const segments = objects.filter(({ key }) => captureOfKey(key)!.isSegment);
  if (capture === undefined) {
    await remove(objects);
    await forgetSegments(projectId, captureId);
  } else if (capture.stored) {
    // The whole file is there; removing its segments was interrupted.
    await remove(segments);
    if (segments.length > 0) await forgetSegments(projectId, captureId);
  } else if (segments.length > 0) {
    const used = new Set(await listSegments(projectId, captureId));
    await remove(segments.filter(({ key }) => !used.has(key)));
  }
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
