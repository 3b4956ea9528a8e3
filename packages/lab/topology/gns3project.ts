/**
 * Converts an exported GNS3 project (a zip archive with `project.gns3`, revisions 5 to 9) to the nodes and links of a lab file.
 *
 *     vpcs                               -> PC; its startup.vpc is its start-up script
 *     ethernet_switch, ethernet_hub      -> switch, hub
 *     docker, image wirelab/router       -> router, with the ports and routes of its properties
 *     filters, suspend                   -> of the link
 *     wirelab/lab.json                   -> impairments of links, if the service of this project has written the archive
 *
 * All other nodes are reported by name. Names lose what names in a lab file may not have.
 */
import { switchPropertiesOf } from "@wirelab/engine/net/bridge/settings/parse";
import { inflateSync } from "fflate";
import type { Topology } from "../read/read-lab.ts";
import { crc32 } from "../zip/crc32.ts";
import { readZip, type Unpack } from "../zip/read-zip.ts";
import { uniqueNames } from "./unique-names.ts";

type Fields = Readonly<Record<string, unknown>>;

interface Side {
  readonly node_id: string;
  readonly adapter_number: number;
  readonly port_number: number;
}

/** The files that a lab reads; images and captures stay packed. */
const NEEDED = /^project\.gns3$|^wirelab\/lab\.json$|\/startup\.vpc$/;

/** @throws Error in words, with all problems. */
export function readGns3Project(bytes: Uint8Array, file: string): Topology {
  const files = unpack(bytes, file);
  const project = files["project.gns3"];
  if (project === undefined)
    throw new Error(`${file} has no project.gns3; export the project as a portable project`);
  const { nodes, links } = parseProject(project, file);
  const problems: string[] = [];
  const names = uniqueNames(nodes.map(({ node_id, name }) => ({ id: String(node_id), name: String(name) })));
  const converted: Record<string, unknown> = {};
  for (const node of nodes) {
    const own = convert(node, files);
    if (own) converted[names.get(String(node.node_id))!] = own;
    else problems.push(`node ${String(node.name)} cannot be run here: ${typeWords(node)}`);
  }
  const impairments = impairmentsIn(files["wirelab/lab.json"], file);
  const drafts = links.map((link, index) => ({
    ...convertLink(link, names, converted, `link ${index}`, problems),
    ...impairments.get(String(link.link_id)),
  }));
  if (problems.length > 0) throw new Error(problems.map((text) => `${file}: ${text}`).join("\n"));
  return { nodes: converted, links: drafts };
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

const fieldsOf = (value: unknown): Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : {};
const listOf = (value: unknown): readonly Fields[] => (Array.isArray(value) ? value.map(fieldsOf) : []);

function parseProject(
  bytes: Uint8Array,
  file: string,
): { nodes: readonly Fields[]; links: readonly Fields[] } {
  let data: unknown;
  try {
    data = JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    throw new Error(`${file}: project.gns3 is not JSON`);
  }
  const topology = fieldsOf(fieldsOf(data).topology);
  return { nodes: listOf(topology.nodes), links: listOf(topology.links) };
}

/** By link id, as a link of a lab file has them. */
function impairmentsIn(labFile: Uint8Array | undefined, file: string): ReadonlyMap<string, object> {
  if (labFile === undefined) return new Map();
  let data: unknown;
  try {
    data = JSON.parse(new TextDecoder().decode(labFile));
  } catch {
    throw new Error(`${file}: wirelab/lab.json is not JSON`);
  }
  return new Map(
    listOf(fieldsOf(data).links).flatMap(({ link_id, document }) => {
      const { settings } = fieldsOf(fieldsOf(document).impairments);
      return settings === undefined ? [] : [[String(link_id), { impairments: settings }] as const];
    }),
  );
}

const typeWords = ({ node_type, properties }: Fields): string => {
  const { image } = fieldsOf(properties);
  return `it is of the type ${String(node_type)}${typeof image === "string" ? ` with the image ${image}` : ""}`;
};

function convert(
  { node_id, node_type, properties }: Fields,
  files: Readonly<Record<string, Uint8Array>>,
): object | undefined {
  const given = fieldsOf(properties);
  switch (node_type) {
    case "vpcs": {
      const saved = files[`project-files/vpcs/${String(node_id)}/startup.vpc`];
      const script = saved ? new TextDecoder().decode(saved) : given.startup_script;
      return { type: "pc", ...(typeof script === "string" && { commands: linesOf(script) }) };
    }
    case "ethernet_switch": {
      const ports = listOf(given.ports_mapping).map(({ name, type, vlan, ethertype }, index) => ({
        name: typeof name === "string" ? name : `Ethernet${index}`,
        ...(type !== undefined && { type }),
        ...(vlan !== undefined && { vlan }),
        ...(typeof ethertype === "string" && ethertype !== "" && { ethertype }),
      }));
      return { type: "switch", ...(ports.length > 0 && { ports }), ...switchPropertiesOf(given) };
    }
    case "ethernet_hub": {
      const ports = listOf(given.ports_mapping).length;
      return { type: "hub", ...(ports > 0 && { ports }) };
    }
    case "docker": {
      if (!/^wirelab\/router(:|$)/.test(String(given.image))) return undefined;
      const { ports, routes } = given;
      return {
        type: "router",
        ...(Array.isArray(ports) && { ports }),
        ...(Array.isArray(routes) && { routes }),
      };
    }
    default:
      return undefined;
  }
}

/** Without comments and `set pcname`: the PC has its name from the project. */
const linesOf = (script: string): string[] =>
  script.split(/\r?\n/).filter((line) => line.trim() !== "" && !/^\s*(#|set pcname\b)/.test(line));

function convertLink(
  link: Fields,
  names: ReadonlyMap<string, string>,
  nodes: Readonly<Record<string, unknown>>,
  what: string,
  problems: string[],
): object {
  const sides = listOf(link.nodes) as unknown as readonly Side[];
  const ends = sides.map(({ node_id, adapter_number, port_number }) => {
    const name = names.get(node_id);
    if (name === undefined) problems.push(`${what} names a node that the project does not have: ${node_id}`);
    const { type } = fieldsOf(nodes[name ?? ""]);
    // In GNS3 a container has an adapter for each port; this service's routers have one adapter with all ports, as switches do.
    return `${name}:${type === "router" ? adapter_number + port_number : port_number}`;
  });
  if (ends.length !== 2) problems.push(`${what} has ${ends.length} ends`);
  const filters = fieldsOf(link.filters);
  return {
    link: ends.join(" -- "),
    ...(Object.keys(filters).length > 0 && { filters }),
    ...(link.suspend === true && { down: true }),
  };
}
