/** Copies of project files, each an object of its own, because a file's object is deleted when the file is replaced. */
import { copyObject, discardObjects } from "../store/base/objects.ts";
import { forEachParallel } from "../store/base/parallel.ts";
import type { CopiedFile } from "./lab-copy.ts";

const PARALLEL = 16;

/**
 * @param makeKey returns a fresh key for each copy.
 * @returns the files with the keys of the copies, or undefined when an object is gone; then no copy is left.
 */
export async function copyFiles(
  files: readonly CopiedFile[],
  makeKey: () => string,
): Promise<CopiedFile[] | undefined> {
  const copies = files.map((file) => ({ ...file, object_key: makeKey() }));
  let isWhole = true;
  await forEachParallel([...files.keys()], PARALLEL, async (index) => {
    if (!(await copyObject(files[index]!.object_key, copies[index]!.object_key))) isWhole = false;
  });
  if (isWhole) return copies;
  await discardObjects(keysOf(copies));
  return undefined;
}

export const keysOf = (files: readonly CopiedFile[]): string[] => files.map(({ object_key }) => object_key);

export const bytesOf = (files: readonly CopiedFile[]): number =>
  files.reduce((sum, { size_bytes }) => sum + size_bytes, 0);
