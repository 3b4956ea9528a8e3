/**
 * Where snapshots lie in the bucket.
 *
 *     snapshots/<project>/<snapshot>/<object>    the document of the lab (lab-copy), each project file, each state of a guest; immutable
 */

/** @returns a key that no other attempt has, so that of two racing requests the loser cannot overwrite the winner's bytes. */
export const newSnapshotKey = (projectId: string, snapshotId: string): string =>
  `snapshots/${projectId}/${snapshotId}/${crypto.randomUUID()}`;

/** Returns the project of a snapshot's object, or undefined for a key of another kind of object. */
export const projectOfSnapshotKey = (key: string): string | undefined =>
  /^snapshots\/([^/]+)\//.exec(key)?.[1];
