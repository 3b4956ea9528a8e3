/** Finds the lab files that the command line names. */
import { globSync, statSync } from "node:fs";
import { join } from "node:path";
import { DataError } from "../failure.ts";

const LAB_FILES = "**/*.lab.{yaml,yml}";

/**
 * Returns paths in alphabetical order, each once. A folder stands for the lab files in it; without arguments, the current folder
 * does. Patterns pass over node_modules and hidden folders.
 * @throws DataError for a file that does not exist.
 */
export function findFiles(patterns: readonly string[]): string[] {
  const found = (patterns.length === 0 ? ["."] : patterns).flatMap(filesOf);
  return [...new Set(found)].toSorted();
}

function filesOf(pattern: string): string[] {
  const stats = statSync(pattern, { throwIfNoEntry: false });
  if (stats?.isDirectory()) return search(join(pattern, LAB_FILES));
  if (stats) return [pattern];
  if (!/[*?[{]/.test(pattern)) throw new DataError(`cannot read ${pattern}: there is no such file`);
  return search(pattern);
}

const search = (pattern: string): string[] =>
  globSync(pattern, { exclude: (name) => name === "node_modules" || /^\.[^./]/.test(name) });
