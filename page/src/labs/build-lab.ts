/** Builds a lab from a lab file, or from a topology of another tool (containerlab, CML), through the API. */
import { kindOf } from "@wirelab/engine/devices/find-kind";
import { switchPropertiesOf } from "@wirelab/engine/devices/switch/settings/names";
import { parseYaml } from "@wirelab/lab/file/parse-yaml";
import type { LabModel, NodeModel } from "@wirelab/lab/model/lab-model";
import { readLab, type Topology } from "@wirelab/lab/read/read-lab";
import { serverPropertiesOf } from "@wirelab/lab/read/read-server";
import { readTopologyFile } from "@wirelab/lab/topology/read-topology";
import { call } from "../api/call.ts";
import type { Link, Node, Project } from "../api/types.ts";
import { placeInLayers } from "../edit/layers.ts";

const SYMBOL = { width: 66, height: 60 };

/**
 * Builds a lab with the devices, links, filters and impairments of a file. What the file does with the lab (`run`) and expects of it is
 * for `wirelab test`.
 * @param file the name, which says what kind of file it is. @throws LabFileError, ApiProblem, or Error in words.
 */
export async function buildLab(file: string, bytes: Uint8Array): Promise<Project> {
  const { nodes, links, name, seed } = readFile(file, bytes);
  const model = readLab({ nodes, links, ...(seed !== undefined && { seed }) }, { name, file });
  const project = await createProject(model);
  const path = `/projects/${project.project_id}`;
  const made = new Map<string, Node>();
  const places = placeNodes(model);
  for (const node of model.nodes) {
    const body = {
      ...settingsOf(node, nodes[node.name]),
      name: node.name,
      symbol: kindOf(node.spec.type).symbol,
      compute_id: "local",
      ...places.get(node.name),
    };
    made.set(node.name, await call<Node>("POST", `${path}/nodes`, { body }));
  }
  for (const link of model.links) await makeLink(path, link, made);
  return project;
}

interface LabFile extends Topology {
  readonly name: string;
  readonly seed?: unknown;
}

function readFile(file: string, bytes: Uint8Array): LabFile {
  const name = file.replace(/\.(lab|clab)?\.?ya?ml$/, "");
  if (!/\.lab\.ya?ml$/.test(file)) return { ...readTopologyFile(file, bytes), name };
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

/** The type and the properties of a node, in the words of the interface. */
function settingsOf({ spec, ports }: NodeModel, given: unknown): { node_type: string; properties: object } {
  const names = ports.map((name, port_number) => ({ name, port_number }));
  switch (spec.type) {
    case "vpcs":
      return {
        node_type: spec.type,
        properties: {
          ...(spec.startupScript !== "" && { startup_script: spec.startupScript }),
          ...(spec.ignoresChecksums && { ignore_checksums: true }),
        },
      };
    case "ethernet_switch": {
      const ports_mapping = names.map((port, index) => ({
        ...port,
        type: spec.ports[index]!.type,
        vlan: spec.ports[index]!.vlan,
      }));
      return {
        node_type: spec.type,
        properties: { ports_mapping, ...switchPropertiesOf((given ?? {}) as Record<string, unknown>) },
      };
    }
    case "ethernet_hub":
      return { node_type: spec.type, properties: { ports_mapping: names } };
    case "router":
      return { node_type: spec.type, properties: routerProperties(given) };
    case "server":
      return {
        node_type: spec.type,
        properties: serverPropertiesOf((given ?? {}) as Record<string, unknown>),
      };
    case "cloud":
      return { node_type: spec.type, properties: {} };
    case "nat":
      return { node_type: spec.type, properties: { internet: spec.internet } };
    case "linux":
      throw new Error(`${spec.name}: the page makes no Linux nodes from lab files`);
  }
}

/** A lab file has short forms for addresses and routes. */
function routerProperties(given: unknown): object {
  const {
    type: _,
    started: _started,
    ports,
    routes,
    ...services
  } = given as {
    type?: string;
    started?: boolean;
    ports?: readonly unknown[];
    routes?: Record<string, string> | readonly unknown[];
  };
  const addressed = (prefix: string) => (prefix.includes(":") ? { ipv6: prefix } : { ipv4: prefix });
  return {
    ...services,
    ...(ports && { ports: ports.map((port) => (typeof port === "string" ? addressed(port) : port)) }),
    ...(routes && {
      routes: Array.isArray(routes) ? routes : Object.entries(routes).map(([to, via]) => ({ to, via })),
    }),
  };
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
