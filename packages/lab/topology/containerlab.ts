/**
 * Converts a containerlab topology (https://containerlab.dev/manual/topo-def-file/) to the nodes and links of a lab file:
 *
 *     kind linux, one link         -> PC, with the addresses and the default gateway that its `exec` sets
 *     kind linux, other routes     -> router: a PC has a default gateway only
 *     kind linux, several links    -> router: Linux containers forward (Docker sets net.ipv4.ip_forward)
 *     kind linux, image of FRR     -> Linux node of the image `frr`, with the files of `binds` and the commands of `exec`; BIRD alike
 *     kind bridge, ovs-bridge      -> switch
 *
 * What a lab cannot run is reported with its line: other kinds, links to the host, and commands of `exec` that `linux-exec.ts`
 * does not know.
 */
import { parseYaml } from "../file/parse-yaml.ts";
import { describeAt, type Path, Problems } from "../file/problem.ts";
import type { Topology } from "../read/read-lab.ts";
import {
  DONE_IN_ENDPOINT,
  DONE_IN_FILE,
  DONE_IN_LINK,
  DONE_IN_NODE,
  DONE_IN_TOPOLOGY,
  HARMLESS_IN_ENDPOINT,
  HARMLESS_IN_FILE,
  HARMLESS_IN_LINK,
  HARMLESS_IN_NODE,
} from "./containerlab-keys.ts";
import type { Fields, Layer } from "./layer.ts";
import { hasOnlyDefault, type LinuxConfig, readExec, standsForHost } from "./linux-exec.ts";
import { guestImageOf, toLinuxNode } from "./linux-node.ts";
import { natural } from "./natural-order.ts";

const KINDS = ["linux", "bridge", "ovs-bridge"] as const;

/** Commands that only keep a container alive. */
const IDLE = /^(?:(?:ba|a)?sh|(?:sleep|tail)\b.*|(?:ba|a)?sh -c ["']?(?:sleep|tail)\b.*)$/;

/** @throws LabFileError with all problems. */
export function readContainerlab(text: string, file: string): Topology {
  const { data, locate } = parseYaml(text, file);
  const problems = new Problems(locate, file);
  const warnings: string[] = [];
  refuseOthers(fieldsOf(data), [], [...DONE_IN_FILE, ...Object.keys(HARMLESS_IN_FILE)], problems);
  const topology = fieldsOf(fieldsOf(data).topology);
  refuseOthers(topology, ["topology"], DONE_IN_TOPOLOGY, problems);
  const given = fieldsOf(topology.nodes);
  const links = readLinks(topology.links, Object.keys(given), problems);
  const nodes: Record<string, unknown> = {};
  for (const name of Object.keys(given)) {
    const node = convert(name, { topology, links, folder: folderOf(file) }, problems);
    if (node) nodes[name] = node;
    const warning = node && warningOf(fieldsOf(node));
    if (warning) warnings.push(describeAt(["topology", "nodes", name], warning, locate, file));
  }
  if (Object.keys(given).length === 0) problems.add(["topology"], "has no nodes.");
  problems.throwIfAny();
  const isPc = (name: string): boolean => fieldsOf(nodes[name]).type === "pc";
  return {
    nodes,
    hosts: Object.keys(nodes).filter((name) => standsForHost(fieldsOf(nodes[name]))),
    warnings,
    links: links.map(({ ends }) => ({
      // A PC has one port, whatever the interface of the container was called.
      link: ends.map(({ node, port }) => (isPc(node) ? node : `${node}:${port}`)).join(" -- "),
    })),
  };
}

const fieldsOf = (value: unknown): Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : {};

function refuseOthers(fields: Fields, base: Path, known: readonly string[], problems: Problems): void {
  for (const key of Object.keys(fields))
    if (!known.includes(key))
      problems.add([...base, key], "cannot be run here: this converter does not know the key.", {
        given: key,
        known,
      });
}

interface End {
  readonly node: string;
  readonly port: string;
}

interface Link {
  readonly ends: readonly [End, End];
  readonly mtu: number | undefined;
}

function readLinks(value: unknown, nodes: readonly string[], problems: Problems): Link[] {
  return (Array.isArray(value) ? value : []).flatMap((each, index) => {
    const path = ["topology", "links", index];
    const link = fieldsOf(each);
    const { type = "veth", endpoints, mtu } = link;
    if (type !== "veth") {
      problems.add(
        [...path, "type"],
        `cannot be run here: ${JSON.stringify(type)}; only links between nodes can.`,
      );
      return [];
    }
    refuseOthers(link, path, [...DONE_IN_LINK, ...Object.keys(HARMLESS_IN_LINK)], problems);
    const ends = (Array.isArray(endpoints) ? endpoints : []).map((end, at) =>
      readEnd(end, nodes, [...path, "endpoints", at], problems),
    );
    if (ends.length !== 2) problems.add(path, "needs two endpoints.");
    const [a, b] = ends;
    return a && b ? [{ ends: [a, b], mtu: typeof mtu === "number" ? mtu : undefined }] : [];
  });
}

function readEnd(value: unknown, nodes: readonly string[], path: Path, problems: Problems): End | undefined {
  const fields = fieldsOf(value);
  refuseOthers(fields, path, [...DONE_IN_ENDPOINT, ...Object.keys(HARMLESS_IN_ENDPOINT)], problems);
  const { node: given, interface: name } = fields;
  const text = typeof value === "string" ? value : `${given}:${name}`;
  const [node = "", port = ""] = text.split(":");
  if (node === "host" || node === "mgmt-net" || node === "macvlan") {
    problems.add(path, `cannot be run here: ${JSON.stringify(text)} is an interface of the host.`);
  } else if (!nodes.includes(node)) {
    problems.add(path, `names no node: ${JSON.stringify(text)}.`, { given: node, known: nodes });
  } else if (port === "" || text.includes("{{")) {
    problems.add(path, `must be node:interface, got ${JSON.stringify(text)}.`);
  } else return { node, port };
  return undefined;
}

/** The places that define a node, from the general to the special: defaults, kinds, groups, node. */
function layersOf(name: string, topology: Fields): readonly Layer[] {
  const own = fieldsOf(fieldsOf(topology.nodes)[name]);
  const defaults = fieldsOf(topology.defaults);
  const group = String(own.group ?? defaults.group ?? "");
  const ofGroup = fieldsOf(fieldsOf(topology.groups)[group]);
  const kind = String(own.kind ?? ofGroup.kind ?? defaults.kind ?? "");
  return [
    { path: ["topology", "defaults"], fields: defaults },
    { path: ["topology", "kinds", kind], fields: fieldsOf(fieldsOf(topology.kinds)[kind]) },
    { path: ["topology", "groups", group], fields: ofGroup },
    { path: ["topology", "nodes", name], fields: own },
  ];
}

const folderOf = (file: string): string => file.slice(0, file.lastIndexOf("/") + 1);

interface Whole {
  readonly topology: Fields;
  readonly links: readonly Link[];
  /** The folder of the topology's file, with a slash at its end: `binds` begin there. */
  readonly folder: string;
}

function convert(name: string, { topology, links, folder }: Whole, problems: Problems): object | undefined {
  const layers = layersOf(name, topology);
  const path = ["topology", "nodes", name];
  const kind = layers.findLast(({ fields }) => fields.kind !== undefined)?.fields.kind;
  if (!KINDS.includes(kind as (typeof KINDS)[number])) {
    problems.add(
      path,
      `cannot be run here: it is of the kind ${JSON.stringify(kind ?? null)}. Kinds that can: ${KINDS.join(", ")}.`,
    );
    return undefined;
  }
  const mtus = new Map(
    links.flatMap(({ ends, mtu }) => ends.filter(({ node }) => node === name).map(({ port }) => [port, mtu])),
  );
  const ports = [...mtus.keys()];
  if (kind !== "linux") {
    for (const { path: base, fields } of layers) checkFields(fields, base, problems);
    return { type: "switch", ports: ports.map((port) => ({ name: port })) };
  }
  const image = layers.findLast(({ fields }) => fields.image !== undefined)?.fields.image;
  const guest = guestImageOf(String(image ?? ""));
  if (guest !== undefined) {
    for (const { path: base, fields } of layers) checkFields(fields, base, problems, ["binds"]);
    return toLinuxNode({ image: guest, layers, mtus, folder }, path, problems);
  }
  for (const { path: base, fields } of layers) checkFields(fields, base, problems);
  const commands = layers.flatMap(({ path: base, fields: { exec } }) =>
    listOf(exec, [...base, "exec"], problems).map((text, index) => ({
      text: String(text),
      path: [...base, "exec", index],
    })),
  );
  const config = readExec(commands, new Set(ports), problems);
  return isHost(config, ports.length) ? toPc(config, mtus) : toRouter(config, mtus, path, problems);
}

/** A list that is another value would be left out in silence. */
function listOf(value: unknown, path: Path, problems: Problems): readonly unknown[] {
  if (value !== undefined && !Array.isArray(value)) problems.add(path, "must be a list.");
  return Array.isArray(value) ? value : [];
}

const KNOWN_IN_NODE = new Set([...DONE_IN_NODE, ...Object.keys(HARMLESS_IN_NODE)]);

function checkFields(fields: Fields, base: Path, problems: Problems, more: readonly string[] = []): void {
  for (const [key, value] of Object.entries(fields)) {
    const isIdle = (key === "cmd" || key === "entrypoint") && IDLE.test(String(value).trim());
    const isWithoutManagement = key === "network-mode" && value === "none";
    if (KNOWN_IN_NODE.has(key) || more.includes(key) || isIdle || isWithoutManagement) continue;
    problems.add(
      [...base, key],
      key === "cmd" || key === "entrypoint" || key === "binds"
        ? "cannot be run here: a lab runs no programs of containers."
        : "cannot be run here: this converter does not know what it does to the container.",
    );
  }
}

/** Where a PC can stand for a container with one link: its only route is the default one. */
const isHost = ({ routes }: LinuxConfig, ports: number): boolean => ports <= 1 && hasOnlyDefault(routes);

/** What routes and does not know its routes reaches its neighbours only; its configuration is often missing by mistake. */
function warningOf({ type, image, files, commands }: Fields): string | undefined {
  if (type !== "linux") return undefined;
  const targets = Object.keys(fieldsOf(files));
  const isConfigured = CONFIGURATION[String(image)]?.test([...targets, ...(commands as string[])].join("\n"));
  return isConfigured === false
    ? "has no routing configuration: neither a file of `binds` nor a command of `exec` configures its daemons."
    : undefined;
}

/** The files and commands that configure the daemons of an image. */
const CONFIGURATION: Readonly<Record<string, RegExp>> = {
  frr: /\/etc\/frr\/\S*\.conf$|\bvtysh\b|\/etc\/config\//m,
  bird: /\/etc\/bird\S*$|\bbirdc?\b/m,
};

type Mtus = ReadonlyMap<string, number | undefined>;

function toPc({ addresses, routes }: LinuxConfig, mtus: Mtus): object {
  const [mtu] = mtus.values();
  const ip = [...addresses.values()].flat();
  return {
    type: "pc",
    ...(ip.length > 0 && { ip }),
    ...(routes[0] && { gateway: routes[0].via }),
    ...(mtu !== undefined && { commands: `set mtu ${mtu}` }),
  };
}

function toRouter(
  { addresses, routes, isForwarding }: LinuxConfig,
  mtus: Mtus,
  path: Path,
  problems: Problems,
): object {
  if (!isForwarding) problems.add(path, "cannot be run here: it has several links and does not forward.");
  const ports = [...mtus.keys()].toSorted(natural).map((name) => {
    const own = addresses.get(name) ?? [];
    const [ipv4, more4] = own.filter((address) => !address.includes(":"));
    const [ipv6, more6] = own.filter((address) => address.includes(":"));
    const more = more4 ?? more6;
    if (more) problems.add(path, `cannot be run here: ${name} has a second address, ${more}.`);
    const mtu = mtus.get(name);
    return { name, ...(ipv4 && { ipv4 }), ...(ipv6 && { ipv6 }), ...(mtu !== undefined && { mtu }) };
  });
  return { type: "router", ports, routes: routes.map(({ to, via }) => ({ to, via })) };
}
