/** Converts a topology of another tool, by the name of its file; CML and containerlab both have YAML. */
import type { Topology } from "../read/read-lab.ts";
import type { Surroundings } from "./clab/surroundings.ts";
import { isTemplate } from "./clab/template.ts";
import type { Environment } from "./clab/variables.ts";
import { isCml, readCml } from "./cml.ts";
import { readContainerlab } from "./containerlab.ts";
import { readGns3Project } from "./gns3project.ts";

/** @throws Error in words that names everything that a lab cannot run. */
export function readTopologyFile(
  file: string,
  bytes: Uint8Array,
  environment: Environment = {},
  surroundings: Surroundings = {},
): Topology {
  if (/\.(ya?ml|gotmpl)$/.test(file)) {
    const text = new TextDecoder().decode(bytes);
    return !isTemplate(text) && isCml(text)
      ? readCml(text, file)
      : readContainerlab(text, file, environment, surroundings);
  }
  if (/\.(gns3project|gns3p|zip)$/.test(file)) return readGns3Project(bytes, file);
  throw new Error(
    `${file} must be a containerlab file (.clab.yml, .clab.gotmpl), a lab of CML (.yaml) or a GNS3 project (.gns3project)`,
  );
}
