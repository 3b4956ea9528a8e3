/** What nothing in the table refers to, such as a run leaves that died before its commit, and a deletion half-way. */
import { count } from "../api/metrics.ts";
import { listCaptures } from "../store/capture.ts";
import { placeOfKey } from "../store/capture-objects.ts";
import { deleteObjects, type StoredObject } from "../store/objects.ts";
import { readTopology } from "../store/read.ts";
import { forgetPages, listPages, type SegmentPage } from "../store/segment.ts";
import { isSymbolKey, listSymbols } from "../store/symbol.ts";

/**
 * @param objects so old that no request which knows of them can be under way: whatever is to refer to one of them does
 *   so by now, and what refers to none of them now never will.
 */
export async function removeOrphans(objects: readonly StoredObject[]): Promise<void> {
  await remove(await orphanedSymbols(objects.filter(({ key }) => isSymbolKey(key))));
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

async function removeFromProject(projectId: string, objects: readonly StoredObject[]): Promise<void> {
  const { captures, segments } = await referencesOf(projectId);
  await remove(
    objects.filter(({ key }) => {
      const { captureId, objectId } = placeOfKey(key)!;
      return captureId === undefined ? !segments.has(objectId!) : !captures.has(captureId);
    }),
  );
}

/**
 * The ids of captures, and of objects with segments that are still read, in a project; pages of captures that are gone,
 * or one object, are deleted, for their own deletion was interrupted.
 *
 * Segments go from links to pages or to captures, and never back, so they are looked for in this order; a capture is there
 * before its pages.
 */
async function referencesOf(
  projectId: string,
): Promise<{ captures: ReadonlySet<string>; segments: ReadonlySet<string> }> {
  // Writes out a run that is committed and pending, too.
  const { links } = await readTopology(projectId, "links");
  const pages = await listPages(projectId);
  const captures = await listCaptures(projectId);
  const inSegments = new Set(captures.filter(({ stored }) => !stored).map(({ capture_id }) => capture_id));
  const isRead = ({ capture_id }: SegmentPage): boolean => inSegments.has(capture_id);
  await forgetPages(
    projectId,
    pages.filter((page) => !isRead(page)),
  );
  const segments = [
    ...links.flatMap(({ capture }) => capture?.recent ?? []),
    ...pages.filter(isRead).flatMap((page) => page.segments),
    ...captures.flatMap(({ recent = [] }) => recent),
  ];
  return {
    captures: new Set(captures.map(({ capture_id }) => capture_id)),
    segments: new Set(segments.map(({ object_id }) => object_id)),
  };
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
