/** Builds the labs of test/labs over HTTP. */

import { readFileSync } from "node:fs";
import { forEachParallel } from "../../../functions/shared/store/base/parallel.ts";

export interface LabFile {
  readonly description: string;
  readonly nodes: readonly {
    readonly name: string;
    readonly node_type: string;
    readonly properties?: Record<string, unknown>;
  }[];
  readonly links: readonly {
    readonly ends: readonly [node: string, port: number][];
    readonly filters?: Record<string, unknown>;
  }[];
}

export interface BuiltLab {
  readonly projectId: string;
  readonly path: string;
  /** Node ids by name. */
  readonly nodes: Readonly<Record<string, string>>;
  /** Link ids by their ends: `PC1-SW1`. */
  readonly links: Readonly<Record<string, string>>;
}

/** Sends a request and returns the JSON of the response. @throws Error unless it succeeded. */
export type Call = (
  method: "POST" | "PUT" | "GET",
  path: string,
  body?: unknown,
) => Promise<Record<string, unknown>>;

export const readLabFile = (name: string): LabFile =>
  JSON.parse(readFileSync(new URL(`../../labs/${name}.json`, import.meta.url), "utf8")) as LabFile;

const LINKS_AT_ONCE = 16;

/** Creates nodes one after another, so that their numbers follow the file's order, and links concurrently. */
export async function buildLab(
  call: Call,
  file: LabFile,
  project: Record<string, unknown>,
): Promise<BuiltLab> {
  const { project_id } = await call("POST", "/projects", project);
  const path = `/projects/${project_id}`;
  const nodes: Record<string, string> = {};
  for (const node of file.nodes) {
    const { node_id } = await call("POST", `${path}/nodes`, { compute_id: "local", ...node });
    nodes[node.name] = String(node_id);
  }
  const links: Record<string, string> = {};
  await forEachParallel(file.links, LINKS_AT_ONCE, async ({ ends, ...rest }) => {
    const sides = ends.map(([name, port_number]) => ({
      node_id: nodes[name],
      adapter_number: 0,
      port_number,
    }));
    const { link_id } = await call("POST", `${path}/links`, { nodes: sides, ...rest });
    links[ends.map(([name]) => name).join("-")] = String(link_id);
  });
  return { projectId: String(project_id), path, nodes, links };
}
