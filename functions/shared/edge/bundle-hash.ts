/** Identifies the bundle that wrote a log line, so that `npm run trace` finds the source of its stack traces. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

const LENGTH = 16;

/** @param index the content of `index.mjs`, which names all other files of the bundle by hashes of their contents. */
export const bundleHashOf = (index: Uint8Array): string =>
  createHash("sha256").update(index).digest("hex").slice(0, LENGTH);

let known: string | undefined;

/** Returns the hash of the function's own bundle; undefined outside Lambda. Reads the file with the first error, so a start does not. */
export function ownBundleHash(): string | undefined {
  const folder = process.env.LAMBDA_TASK_ROOT;
  if (folder === undefined) return undefined;
  try {
    known ??= bundleHashOf(readFileSync(`${folder}/index.mjs`));
    return known;
  } catch {
    // A log line must not fail.
    return undefined;
  }
}
