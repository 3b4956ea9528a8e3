/** Reads a lab file and the files that it names. */
import { readFileSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { parseLabFile } from "@wirelab/lab/file/parse";
import type { LabModel } from "@wirelab/lab/model/lab-model";
import { readTopologyFile } from "@wirelab/lab/topology/read-topology";
import { onFile } from "./file-error.ts";

/** @throws LabFileError, or a DataError if the file cannot be read. */
export function loadLabFile(path: string): LabModel {
  const folder = dirname(path);
  return parseLabFile(
    onFile("read", path, () => readFileSync(path, "utf8")),
    {
      name: basename(path).replace(/(\.lab)?\.(ya?ml|json)$/, ""),
      file: path,
      load: (file) => readFileSync(resolve(folder, file)),
      loadTopology: (file) => readTopologyFile(file, readFileSync(resolve(folder, file))),
    },
  );
}
