/** Reads lab files and the files that they name. */
import { readFileSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { hasRouters } from "@wirelab/lab/adjacency/sources";
import type { LabModel } from "@wirelab/lab/model/lab-model";
import type { Guests } from "@wirelab/lab/read/guests";
import { parseLabFile } from "@wirelab/lab/read/parse-lab-file";
import { readLab } from "@wirelab/lab/read/read-lab";
import { readTopologyFile } from "@wirelab/lab/topology/read-topology";
import { isArchive, isBareTopology, labOf, readBareTopology } from "./bare-topology.ts";
import { onFile } from "./file-error.ts";
import { makeGuests } from "./guests.ts";
import { listFiles, lookAt } from "./look-at.ts";

/** @throws LabFileError, or a DataError if the file cannot be read. */
export const loadLabFile = (path: string, guests?: Guests): LabModel =>
  parseLabText(readLabText(path), path, guests);

/** @returns an empty text for an archive. @throws DataError if the file cannot be read. */
export const readLabText = (path: string): string =>
  isArchive(path) ? "" : onFile("read", path, () => readFileSync(path, "utf8"));

/** @param path of the file with the text; it names other files relative to its own folder. @throws LabFileError */
export function parseLabText(text: string, path: string, guests = makeGuests()): LabModel {
  const folder = dirname(path);
  const beside = {
    load: (file: string) => readFileSync(resolve(folder, file)),
    look: (file: string) => lookAt(resolve(folder, file)),
    list: (file: string) => listFiles(resolve(folder, file)),
  };
  const options = {
    name: basename(path).replace(/(\.(lab|clab))?\.(ya?ml|json|gotmpl|gns3project|gns3p|zip)$/, ""),
    file: path,
    guests,
    ...beside,
    loadTopology: (file: string) =>
      readTopologyFile(file, readFileSync(resolve(folder, file)), process.env, beside),
  };
  const model = isBareTopology(path, text)
    ? readLab(labOf(path, readBareTopology(path, text)), options)
    : parseLabFile(text, options);
  return { ...model, checksNeighbours: model.checksNeighbours === true && hasRouters(model.nodes) };
}
