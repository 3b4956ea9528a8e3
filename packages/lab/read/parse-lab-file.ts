/** Reads a lab file: YAML 1.2 or JSON. */

import { parseYaml } from "../file/parse-yaml.ts";
import type { LabModel } from "../model/lab-model.ts";
import { type ReadOptions, readLab } from "./read-lab.ts";

/** @throws LabFileError */
export function parseLabFile(text: string, options: Omit<ReadOptions, "locate">): LabModel {
  const { data, locate } = parseYaml(text, options.file);
  return readLab(data, { ...options, locate });
}
