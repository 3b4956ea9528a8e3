/**
 * Converts an exported GNS3 project (a zip archive with `project.gns3`, revisions 5 to 9) to the nodes and links of a lab file.
 *
 *     vpcs                               -> PC; its startup.vpc is its start-up script
 *     ethernet_switch, ethernet_hub      -> switch, hub
 *     docker, image wirelab/router       -> router, with its properties
 *     filters, suspend                   -> of the link
 *     wirelab/lab.json                   -> the nodes and impairments of a lab that a service of this project has exported (`own-copy.ts`)
 *
 * All other nodes are reported by name. Names lose what names in a lab file may not have.
 */
import { kindOf } from "@wirelab/engine/devices/find-kind";
import { KINDS, type Kind } from "@wirelab/engine/devices/kinds";
import type { Properties } from "@wirelab/engine/devices/node-reader";
import { inflateSync } from "fflate";
import { type Fields, fieldsOf, rowsOf } from "../file/fields.ts";
import type { Topology } from "../read/read-lab.ts";
import { toLabFileNode } from "../write/node-forms.ts";
import { crc32 } from "../zip/crc32.ts";
import { readZip, type Unpack } from "../zip/read-zip.ts";
import { type CopiedNode, propertiesNow, readOwnCopy } from "./own-copy.ts";
import { uniqueNames } from "./unique-names.ts";

interface Side {
  readonly node_id: string;
  readonly adapter_number: number;
  readonly port_number: number;
}

/** The files that a lab reads; images and captures stay packed. */
const NEEDED = /^project\.gns3$|^wirelab\/lab\.json$|\/startup\.vpc$/;

export interface ProjectOptions {
  /** Nodes of this kind cannot run where the lab is to run. */
  readonly cannotRun?: (kind: Kind) => boolean;
  /** What cannot run is left out with its links, and warnings name it; absent: it is refused. */
  readonly leavesOut?: boolean;
}

/** @throws Error in words, with all problems. */
export function readGns3Project(bytes: Uint8Array, file: string, options: ProjectOptions = {}): Topology {
  const files = unpack(bytes, file);
  const project = files["project.gns3"];
  if (project === undefined)
    throw new Error(`${file} has no project.gns3; export the project as a portable project`);
  const { nodes, links, seed } = parseProject(project, file);
  const own = readOwnCopy(files["wirelab/lab.json"], file);
  const problems: string[] = [];
  const warnings: string[] = [];
  const names = uniqueNames(nodes.map(({ node_id, name }) => ({ id: String(node_id), name: String(name) })));
  const converted: Record<string, object> = {};
  const known = new Map<string, PlacedNode>();
  const strange = new Set<string>();
  for (const node of nodes) {
    const id = String(node.node_id);
    const given = givenNode(node, own.nodes.get(id), files);
    if (given !== undefined && options.cannotRun?.(given.kind) !== true) {
      converted[names.get(id)!] = toLabFileNode(given.kind, given.properties);
      known.set(id, { ...given, name: names.get(id)! });
      continue;
    }
    strange.add(id);
    if (options.leavesOut)
      warnings.push(`${String(node.name)} is left out with its links: ${typeWords(node)}`);
    else problems.push(`node ${String(node.name)} cannot be run here: ${typeWords(node)}`);
  }
  const drafts = links.flatMap((link, index) => {
    const sides = sidesOf(link);
    for (const { node_id } of sides)
      if (!known.has(node_id) && !strange.has(node_id))
        problems.push(`link ${index} names a node that the project does not have: ${node_id}`);
    if (sides.length !== 2) problems.push(`link ${index} has ${sides.length} ends`);
    const ends = sides.flatMap((side) => endsAt(known.get(side.node_id), side));
    return ends.length === 2 ? [convertLink(link, ends, own.impairments.get(String(link.link_id)))] : [];
  });
  if (problems.length > 0) throw new Error(problems.map((text) => `${file}: ${text}`).join("\n"));
  return {
    nodes: converted,
    links: drafts,
    ...(seed !== undefined && { seed }),
    ...(warnings.length > 0 && { warnings }),
  };
}

/** Inflates one byte more than announced, so that an entry with more is found to be damaged. */
const inflate: Unpack = (packed, sizeBytes) => inflateSync(packed, { out: new Uint8Array(sizeBytes + 1) });
const METHODS: Readonly<Record<number, Unpack>> = { 0: (packed) => packed, 8: inflate };

function unpack(bytes: Uint8Array, file: string): Readonly<Record<string, Uint8Array>> {
  const entries = readZip(bytes, {
    refuse: (detail) => new Error(`${file}: ${detail}`),
    unpackerOf: (method) => METHODS[method],
    methodNames: "entries that are stored, or compressed with deflate",
    crc32,
    isWanted: (name) => NEEDED.test(name),
  });
  return Object.fromEntries([...entries].map(([name, entry]) => [name, entry.read()]));
}

interface ProjectFile {
  readonly nodes: readonly Fields[];
  readonly links: readonly Fields[];
  /** The value of the project's variable of this name. */
  readonly seed: string | undefined;
}

function parseProject(bytes: Uint8Array, file: string): ProjectFile {
  let data: unknown;
  try {
    data = JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    throw new Error(`${file}: project.gns3 is not JSON`);
  }
  const { topology, variables } = fieldsOf(data);
  const { nodes, links } = fieldsOf(topology);
  const seed = rowsOf(variables).find(({ name }) => name === "seed")?.value;
  return {
    nodes: rowsOf(nodes),
    links: rowsOf(links),
    seed: typeof seed === "string" && seed !== "" ? seed : undefined,
  };
}

const typeWords = ({ node_type, properties }: Fields): string => {
  const { image } = fieldsOf(properties);
  return `it is of the type ${String(node_type)}${typeof image === "string" ? ` with the image ${image}` : ""}`;
};

interface GivenNode {
  readonly kind: Kind;
  readonly properties: Properties;
}

interface PlacedNode extends GivenNode {
  readonly name: string;
}

/** What the node is here; undefined for nodes that do not run here. */
function givenNode(
  { node_id, node_type, name, properties }: Fields,
  copy: CopiedNode | undefined,
  files: Readonly<Record<string, Uint8Array>>,
): GivenNode | undefined {
  if (copy !== undefined) {
    const kind = kindOf(copy.type);
    return kind && { kind, properties: propertiesNow(copy, String(name)) };
  }
  const given = fieldsOf(properties);
  const kind = kindInProject(String(node_type), given);
  if (kind?.type !== "vpcs") return kind && { kind, properties: given };
  const saved = files[`project-files/vpcs/${String(node_id)}/startup.vpc`];
  return {
    kind,
    properties: saved === undefined ? given : { ...given, startup_script: new TextDecoder().decode(saved) },
  };
}

/** Types of other programs that have the same name there and here. */
const SHARED_TYPES: ReadonlySet<string> = new Set(["vpcs", "ethernet_switch", "ethernet_hub"]);

function kindInProject(type: string, { image }: Fields): Kind | undefined {
  if (SHARED_TYPES.has(type)) return kindOf(type);
  const own = type === "docker" && typeof image === "string" ? image.split(":")[0] : undefined;
  return own === undefined ? undefined : KINDS.find((kind) => kind.image === own);
}

const sidesOf = (link: Fields): Side[] =>
  rowsOf(link.nodes).map(({ node_id, adapter_number, port_number }) => ({
    node_id: String(node_id),
    adapter_number: Number(adapter_number),
    port_number: Number(port_number),
  }));

const convertLink = (link: Fields, ends: readonly string[], impairments: unknown): object => ({
  link: ends.join(" -- "),
  ...(Object.keys(fieldsOf(link.filters)).length > 0 && { filters: link.filters }),
  ...(link.suspend === true && { down: true }),
  ...(impairments !== undefined && { impairments }),
});

/** In GNS3 a container has an adapter for each port; this service's routers have one adapter with all ports, as switches do. */
function endsAt(node: PlacedNode | undefined, { adapter_number, port_number }: Side): string[] {
  if (node === undefined) return [];
  const { kind, properties, name } = node;
  if (kind.type === "vpcs") return [name];
  if (kind.image !== undefined) return [`${name}:${adapter_number + port_number}`];
  const index = rowsOf(properties.ports_mapping).findIndex((port) => port.port_number === port_number);
  return [`${name}:${index < 0 ? port_number : index}`];
}
