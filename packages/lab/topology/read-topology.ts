/** Converts a topology of another tool, by the name of its file. */
import type { Topology } from "../read/read-lab.ts";
import { readContainerlab } from "./containerlab.ts";
import { readGns3Project } from "./gns3project.ts";

/** @throws Error in words that names everything that a lab cannot run. */
export function readTopologyFile(file: string, bytes: Uint8Array): Topology {
  if (/\.ya?ml$/.test(file)) return readContainerlab(new TextDecoder().decode(bytes), file);
  if (/\.(gns3project|gns3p|zip)$/.test(file)) return readGns3Project(bytes, file);
  throw new Error(`${file} must be a containerlab file (.clab.yml) or a GNS3 project (.gns3project)`);
}
