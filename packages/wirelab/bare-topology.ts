/** A topology of another tool in the place of a lab file: its PCs have to reach each other. */
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { parseYaml } from "@wirelab/lab/file/parse-yaml";
import { LabFileError } from "@wirelab/lab/file/problem";
import type { Topology } from "@wirelab/lab/read/read-lab";
import { isTemplate } from "@wirelab/lab/topology/clab/template";
import { isCml } from "@wirelab/lab/topology/cml";
import { readTopologyFile } from "@wirelab/lab/topology/read-topology";
import { onFile } from "./file-error.ts";
import { listFiles, lookAt } from "./look-at.ts";

/** Daemons have found each other by then: OSPF waits for 40 s before it elects a designated router (RFC 2328 9.1). */
const DURATION = "60s";

/** An archive, which has no text. */
export const isArchive = (path: string): boolean => /\.(gns3project|gns3p|zip)$/.test(path);

/** In a lab file, `topology` is the name of a file, and `nodes` is a map. A template is YAML only once it has been executed. */
export function isBareTopology(path: string, text: string): boolean {
  if (isArchive(path) || path.endsWith(".gotmpl")) return true;
  if (isTemplate(text) && /^topology:[ \t]*(?:#.*)?\r?$/m.test(text)) return true;
  const { data } = parseYaml(text, "");
  const { topology, nodes } = (data ?? {}) as { topology?: unknown; nodes?: unknown };
  return (typeof topology === "object" && topology !== null) || (Array.isArray(nodes) && isCml(text));
}

/** @throws LabFileError */
export function readBareTopology(path: string, text: string): Topology {
  const bytes = isArchive(path)
    ? onFile("read", path, () => readFileSync(path))
    : new TextEncoder().encode(text);
  try {
    return readTopologyFile(path, bytes, process.env, { load: readFileSync, look: lookAt, list: listFiles });
  } catch (error) {
    if (error instanceof LabFileError || !(error instanceof Error)) throw error;
    // The reader of archives names the file in each line.
    const lines = error.message.split("\n").map((line) => line.replace(`${path}: `, ""));
    throw new LabFileError(
      lines.map((message) => ({ path: [], message, place: undefined })),
      path,
    );
  }
}

/** @returns what a lab file with this topology would have. */
export function labOf(path: string, { nodes, hosts = [] }: Topology): object {
  const types = Object.values(nodes).map((node) => (node as { type?: string }).type);
  const hasPairs = types.filter((type) => type === "pc").length + hosts.length > 1;
  return {
    topology: basename(path),
    ...(types.includes("linux") && { duration: DURATION }),
    ...(hasPairs && { expect: [{ reach: "all" }] }),
  };
}
