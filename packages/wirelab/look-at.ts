/** Looks at a path that a lab file names: a file, or a folder with the files in it. */
import { readdirSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import type { Found } from "@wirelab/lab/read/read-guest-files";

/** A folder with more is seldom meant: a whole file system, or the packages of a project. */
const MOST_FILES = 1_000;
const EXECUTABLE = 0o111;

/** @throws Error in words if there is neither a file nor a folder. */
export function lookAt(path: string): Found {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined)
    throw new Error(`there is no ${path}: create it, or delete the line that names it`);
  if (stats.isFile()) return { kind: "file", isExecutable: (stats.mode & EXECUTABLE) !== 0 };
  if (stats.isDirectory()) return { kind: "folder", files: filesIn(path, path, []).toSorted() };
  throw new Error(`${path} is neither a file nor a folder`);
}

/** Returns the names of the files in a folder; none if it is not there. An empty name is the working folder. */
export function listFiles(folder: string): string[] {
  const path = folder === "" ? "." : folder;
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) return [];
  return readdirSync(path, { withFileTypes: true })
    .filter((entry) => entry.isFile() || entry.isSymbolicLink())
    .map(({ name }) => name)
    .toSorted();
}

/** Links to folders are not followed: they may lead around in a circle. */
function filesIn(folder: string, root: string, found: string[]): string[] {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) filesIn(path, root, found);
    else if (
      entry.isFile() ||
      (entry.isSymbolicLink() && statSync(path, { throwIfNoEntry: false })?.isFile())
    )
      found.push(relative(root, path));
    if (found.length > MOST_FILES) throw new Error(`${root} has more than ${MOST_FILES} files`);
  }
  return found;
}
