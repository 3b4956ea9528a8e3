/** Finds the project in an archive: at its root, as programs export it, or in a folder, as archives of a repository have it. */
import { PROJECT_FILE } from "./names.ts";
import { refuseImport, type ZipEntry } from "./zip-reader.ts";

type Entries = ReadonlyMap<string, ZipEntry>;

const EXTENSION = ".gns3";
const SHOWN = 3;

const depthOf = (name: string): number => name.split("/").length;

/**
 * Returns the entries of the project's folder, with its file as `project.gns3`.
 * @throws ApiError `project.import-refused` for an archive without a project, or with several.
 */
export function projectEntries(entries: Entries): Entries {
  if (entries.has(PROJECT_FILE)) return entries;
  const found = [...entries.keys()].filter((name) => name.endsWith(EXTENSION));
  const highest = Math.min(...found.map(depthOf));
  const [file, ...others] = found.filter((name) => depthOf(name) === highest);
  if (file === undefined) throw refuseImport("project.gns3 file could not be found");
  if (others.length > 0) {
    const names = [file, ...others].slice(0, SHOWN).join(", ");
    throw refuseImport(
      `it has ${others.length + 1} projects (${names}${others.length >= SHOWN ? ", ..." : ""}): send the folder of one`,
    );
  }
  const folder = file.slice(0, file.lastIndexOf("/") + 1);
  return new Map(
    [...entries].flatMap(([name, entry]) => {
      if (!name.startsWith(folder)) return [];
      const inside = name === file ? PROJECT_FILE : name.slice(folder.length);
      return [[inside, { ...entry, name: inside }] as const];
    }),
  );
}
