/** The lab as a file that `wirelab test` plays: the devices as they are now, and the tests. */
import { readGns3Project } from "@wirelab/lab/topology/gns3project";
import { writeLabFile } from "@wirelab/lab/write/write-lab-file";
import { send } from "../api/call.ts";

export interface LabFile {
  readonly text: string;
  /** What the file does not have, in words. */
  readonly warnings: readonly string[];
}

/** @param path of the project. @throws ApiProblem; LabFileError for tests that are not YAML. */
export async function labFileOf(path: string, name: string, tests: string): Promise<LabFile> {
  const exported = await send("GET", `${path}/export`);
  const archive = new Uint8Array(await exported.arrayBuffer());
  const topology = readGns3Project(archive, name, { leavesOut: true });
  return { text: writeLabFile({ name, topology, tests }), warnings: topology.warnings ?? [] };
}
