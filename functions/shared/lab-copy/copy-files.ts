/**
 * Copies of the objects that a lab names: project files, and the states of guests (copy-guests.ts). Each copy is an object of its own,
 * because an object is deleted when its file or its state is replaced.
 */
import { copyObject, discardObjects } from "../store/base/objects.ts";
import { forEachParallel } from "../store/base/parallel.ts";

interface Named {
  readonly object_key: string;
  readonly size_bytes: number;
}

const PARALLEL = 16;

/**
 * @param makeKey returns a fresh key for each copy.
 * @returns the files with the keys of the copies, or undefined when an object is gone; then no copy is left.
 */
export async function copyFiles<F extends Named>(
  files: readonly F[],
  makeKey: (file: F) => string,
): Promise<F[] | undefined> {
  const copies = files.map((file) => ({ ...file, object_key: makeKey(file) }));
  let isWhole = true;
  await forEachParallel([...files.keys()], PARALLEL, async (index) => {
    if (!(await copyObject(files[index]!.object_key, copies[index]!.object_key))) isWhole = false;
  });
  if (isWhole) return copies;
  await discardObjects(keysOf(copies));
  return undefined;
}

export const keysOf = (files: readonly Named[]): string[] => files.map(({ object_key }) => object_key);

export const bytesOf = (files: readonly Named[]): number =>
  files.reduce((sum, { size_bytes }) => sum + size_bytes, 0);
