/** Forgets deletions that can no longer be undone, and names what the others keep. */
import { discardObjects } from "../base/objects.ts";
import { holdsAll } from "../base/transact.ts";
import { captureKey } from "../lab/capture-objects.ts";
import { forgetSegments } from "../lab/segment.ts";
import { countForgotten, type DeletionItem, forgetDeletion, listDeletions } from "./deletion.ts";

/** Removes expired deletions of a project, then their bytes. What an interruption leaves, the sweeper finds without a reference. */
export async function forgetExpired(projectId: string, nowMs: number): Promise<void> {
  for (const deletion of await listDeletions(projectId)) {
    if (deletion.expires_ms > nowMs) continue;
    // While a commit is pending, the next sweep forgets it.
    if (!(await holdsAll([countForgotten(deletion), forgetDeletion(deletion)]))) continue;
    for (const { capture_id } of deletion.captures) await forgetSegments(projectId, capture_id);
    await discardObjects(objectsOf(deletion));
  }
}

const objectsOf = ({ project_id, object_key, guest_keys, captures }: DeletionItem): string[] => [
  object_key,
  ...guest_keys,
  ...captures.map(({ capture_id, file_name }) => captureKey(project_id, capture_id, file_name)),
];

/** What deletions keep: ids of captures, objects with segments, and keys of other objects. */
export interface Kept {
  readonly captures: ReadonlySet<string>;
  readonly segments: ReadonlySet<string>;
  readonly keys: ReadonlySet<string>;
}

/**
 * Returns what was read, and what deletions keep. Parts move from the lab to a deletion and back, so deletions are read before and after.
 */
export async function readWithKept<T>(
  projectId: string,
  read: () => Promise<T>,
): Promise<{ readonly found: T; readonly kept: Kept }> {
  const before = await listDeletions(projectId);
  const found = await read();
  const deletions = [...before, ...(await listDeletions(projectId))];
  const kept = {
    captures: new Set(deletions.flatMap(({ captures }) => captures.map(({ capture_id }) => capture_id))),
    segments: new Set(deletions.flatMap(({ segments }) => segments)),
    keys: new Set(deletions.flatMap(objectsOf)),
  };
  return { found, kept };
}
