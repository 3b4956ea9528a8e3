/** A topology of another tool in the place of a lab file: its PCs have to reach each other. */
import { basename } from "node:path";
import { parseYaml } from "@wirelab/lab/file/parse-yaml";
import type { Topology } from "@wirelab/lab/read/read-lab";
import { isTemplate } from "@wirelab/lab/topology/clab/template";

/** Daemons have found each other by then: OSPF waits for 40 s before it elects a designated router (RFC 2328 9.1). */
const DURATION = "60s";

/** In a lab file, `topology` is the name of a file. A template is YAML only once it has been executed. */
export function isBareTopology(path: string, text: string): boolean {
  if (path.endsWith(".gotmpl") || (isTemplate(text) && /^topology:[ \t]*(?:#.*)?\r?$/m.test(text)))
    return true;
  const { data } = parseYaml(text, "");
  const { topology } = (data ?? {}) as { topology?: unknown };
  return typeof topology === "object" && topology !== null;
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
