/** Builds a lab from a lab file, or from a topology of another tool (containerlab, CML), through the API. */
import { kindOf } from "@wirelab/engine/devices/find-kind";
import { parseYaml } from "@wirelab/lab/file/parse-yaml";
import type { LabModel } from "@wirelab/lab/model/lab-model";
import type { Guests } from "@wirelab/lab/read/guests";
import { LinkNames } from "@wirelab/lab/read/link-names";
import { readLab, type Topology } from "@wirelab/lab/read/read-lab";
import { readTopologyFile } from "@wirelab/lab/topology/read-topology";
import { call } from "../api/call.ts";
import type { Link, Node, Project } from "../api/types.ts";
import { placeInLayers } from "../edit/layers.ts";
import { projectFile } from "../lab/tests-file.ts";
import { testsIn } from "./kept-tests.ts";
import type { Sketch } from "./sketch.ts";

const SYMBOL = { width: 66, height: 60 };

export interface BuiltLab {
  readonly project: Project;
  readonly nodes: number;
  readonly links: number;
  readonly hasTests: boolean;
}

/**
 * Builds a lab with the devices, links, filters and impairments of a file. What a lab file does with the lab and expects of it (`run`, `expect`)
 * becomes the tests of the lab.
 * @param file the name, which says what kind of file it is. @throws LabFileError, ApiProblem, or Error in words.
 */
export async function buildLab(file: string, bytes: Uint8Array): Promise<BuiltLab> {
  const model = readModel(file, bytes);
  refuseBeyond(model);
  const project = await createProject(model);
  const path = `/projects/${project.project_id}`;
  const made = new Map<string, Node>();
  const places = placeNodes(model);
  for (const node of model.nodes) {
    const body = {
      node_type: node.spec.type,
      properties: node.properties,
      name: node.name,
      symbol: kindOf(node.spec.type).symbol,
      compute_id: "local",
      ...places.get(node.name),
    };
    made.set(node.name, await call<Node>("POST", `${path}/nodes`, { body }));
  }
  for (const link of model.links) await makeLink(path, link, made);
  const tests = testsOf(file, bytes, model);
  if (tests !== undefined) await projectFile(path).write(tests);
  return { project, nodes: model.nodes.length, links: model.links.length, hasTests: tests !== undefined };
}

/** Draws the lab as `buildLab` would place it. */
export function sketchLab(file: string, bytes: Uint8Array): Sketch {
  const model = readModel(file, bytes);
  const places = placeNodes(model);
  return {
    nodes: model.nodes.map(({ name }) => ({ id: name, ...places.get(name)! })),
    links: model.links.map(({ ends: [a, b] }) => [a.node, b.node]),
  };
}

function readModel(file: string, bytes: Uint8Array): LabModel {
  const { nodes, links, name, seed } = readFile(file, bytes);
  return readLab({ nodes, links, ...(seed !== undefined && { seed }) }, { name, file, guests });
}

/** @returns undefined for files of other tools, and lab files without tests. */
function testsOf(file: string, bytes: Uint8Array, { links }: LabModel): string | undefined {
  if (!isLabFile(file)) return undefined;
  const free = new LinkNames();
  const names = new Map(links.map(({ name, ends }) => [name, free.takeFree(ends)]));
  return testsIn(new TextDecoder().decode(bytes), names);
}

const isLabFile = (file: string): boolean => /\.lab\.ya?ml$/.test(file);

interface LabFile extends Omit<Topology, "seed"> {
  readonly name: string;
  readonly seed?: unknown;
}

function readFile(file: string, bytes: Uint8Array): LabFile {
  const name = file.replace(/\.(lab|clab)?\.?ya?ml$/, "");
  if (!isLabFile(file)) return { ...readTopologyFile(file, bytes), name };
  const { data } = parseYaml(new TextDecoder().decode(bytes), file);
  const given = data as Partial<LabFile> & { readonly topology?: unknown };
  if (given?.topology !== undefined)
    throw new Error(
      `${file} names another file with its topology: drop that file (${given.topology}) here instead.`,
    );
  return {
    nodes: given?.nodes ?? {},
    links: given?.links ?? [],
    name: given?.name ?? name,
    seed: given?.seed,
  };
}

/** A lab of this name may be there already. */
async function createProject({ name, seed }: LabModel): Promise<Project> {
  const taken = new Set((await call<Project[]>("GET", "/projects")).map((project) => project.name));
  let free = name;
  for (let number = 2; taken.has(free); number += 1) free = `${name} ${number}`;
  return call<Project>("POST", "/projects", {
    body: { name: free, auto_close: false, variables: [{ name: "seed", value: seed }] },
  });
}

function placeNodes({ nodes, links }: LabModel) {
  const rank = new Map(nodes.map(({ name, spec, ports }) => [name, spec.type === "vpcs" ? 0 : ports.length]));
  const lines = links.map(({ ends: [a, b] }) =>
    rank.get(a.node)! >= rank.get(b.node)! ? ([a.node, b.node] as const) : ([b.node, a.node] as const),
  );
  return placeInLayers(
    nodes.map(({ name }) => ({ id: name, ...SYMBOL })),
    lines,
  );
}

/** The service plays the lab file instead: `POST /labs/run`. */
const guests: Guests = {
  problemOf: () => undefined,
  makeDevice() {
    throw new Error("The page runs no Linux nodes");
  },
};

/** @throws Error for a node that the service would make another one. */
function refuseBeyond({ nodes }: LabModel): void {
  for (const { name, beyond = [] } of nodes)
    if (beyond.length > 0)
      throw new Error(
        `${name}: a node of the service has no ${beyond.join(", ")}. Delete it here, or play the file with wirelab test.`,
      );
}

async function makeLink(
  path: string,
  link: LabModel["links"][number],
  made: ReadonlyMap<string, Node>,
): Promise<void> {
  const nodes = link.ends.map(({ node, port }) => {
    const { node_id, ports } = made.get(node)!;
    const { adapter_number, port_number } = ports[port]!;
    return { node_id, adapter_number, port_number };
  });
  const body = { nodes, filters: link.filters.settings, suspend: link.isDown };
  const { link_id } = await call<Link>("POST", `${path}/links`, { body });
  if (link.impairments !== undefined)
    await call("PUT", `${path}/links/${link_id}/impairments`, { body: link.impairments.settings });
}
