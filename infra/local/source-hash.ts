/** Hashes the sources of the cloud assembly. */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Files and folders that the app and the bundles read, relative to the project. The second lock file is npm's record of the
 * installed packages, which differs from the first until `npm ci` has run.
 */
export const SOURCES = [
  "functions",
  "infra",
  "page",
  "examples/labs",
  "packages",
  "cdk.json",
  "wirelab.config.ts",
  "package.json",
  "package-lock.json",
  "tsconfig.json",
  "node_modules/.package-lock.json",
] as const;

/**
 * Hashes the paths and contents of SOURCES, the version of Node.js, the platform (esbuild is a binary) and the settings.
 * @param root the project's folder, with a slash at its end.
 */
export function hashSources(root: string, settings: Readonly<Record<string, string>>): string {
  return hashFiles(root, SOURCES, settings);
}

/** Hashes the paths and contents of `sources`, the version of Node.js, the platform and `other`. */
export function hashFiles(root: string, sources: readonly string[], other: object = {}): string {
  const hash = createHash("sha256");
  hash.update(JSON.stringify([process.version, process.platform, process.arch, other]));
  for (const source of sources) {
    for (const file of filesIn(root, source)) hash.update(`\0${file}\0`).update(readFileSync(root + file));
  }
  return hash.digest("hex");
}

/** Returns the path of a file, or the sorted paths of all files in a folder; none if it does not exist. */
function filesIn(root: string, source: string): string[] {
  try {
    return readdirSync(root + source, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(root.length))
      .sort();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOTDIR") return [source];
    if (code === "ENOENT") return [];
    throw error;
  }
}
