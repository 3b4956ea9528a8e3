/** Converts a topology of another tool, by the name of its file. */
import type { Topology } from "../read/read-lab.ts";
import { readContainerlab } from "./containerlab.ts";

/** @throws Error in words, with the line of each thing that a lab cannot run. */
export function readTopologyFile(file: string, bytes: Uint8Array): Topology {
  if (/\.ya?ml$/.test(file)) return readContainerlab(new TextDecoder().decode(bytes), file);
  throw new Error(`${file} must be a containerlab file (.clab.yml)`);
}
