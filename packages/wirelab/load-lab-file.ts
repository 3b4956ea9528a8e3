/** Reads lab files and the files that they name. */
import { readFileSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { parseLabFile } from "@wirelab/lab/file/parse";
import type { LabModel } from "@wirelab/lab/model/lab-model";
import { readTopologyFile } from "@wirelab/lab/topology/read-topology";
import { onFile } from "./file-error.ts";
import { makeGuests } from "./guests.ts";

/** @throws LabFileError, or a DataError if the file cannot be read. */
export const loadLabFile = (path: string): LabModel => parseLabText(readLabText(path), path);

/** @throws DataError if the file cannot be read. */
export const readLabText = (path: string): string => onFile("read", path, () => readFileSync(path, "utf8"));

/** @param path of the file with the text; it names other files relative to its own folder. @throws LabFileError */
export function parseLabText(text: string, path: string): LabModel {
  const folder = dirname(path);
  return parseLabFile(text, {
    name: basename(path).replace(/(\.lab)?\.(ya?ml|json)$/, ""),
    file: path,
    guests: makeGuests(),
    load: (file) => readFileSync(resolve(folder, file)),
    loadTopology: (file) => readTopologyFile(file, readFileSync(resolve(folder, file))),
  });
}
