/** Reads lab files from the disk, with the files that they name. */
import { readFileSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { parseLabFile } from "@wirelab/lab/file/parse";
import type { LabModel } from "@wirelab/lab/model/lab-model";
import { onFile } from "../file-error.ts";

export const LAB_FILE_SUFFIX = ".lab.yaml";

/** @throws DataError for a file that cannot be read. */
export const readLabText = (file: string): string => onFile("read", file, () => readFileSync(file, "utf8"));

/** @throws LabFileError */
export function parseLab(text: string, file: string): LabModel {
  const load = (path: string): Uint8Array =>
    onFile("read", path, () => new Uint8Array(readFileSync(resolve(dirname(file), path))));
  return parseLabFile(text, {
    name: basename(file).replace(/\.lab\.ya?ml$|\.(ya?ml|json)$/, ""),
    file,
    load,
  });
}
