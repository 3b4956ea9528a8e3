/**
 * Converts a topology of Cisco Modeling Labs (the YAML that CML 2 exports, versions 0.0.5 to 0.3.0; schema: the controller's page
 * `/api/v0/schema`, and https://developer.cisco.com/docs/modeling-labs/) to the nodes and links of a lab file:
 *
 *     alpine, server, one link      -> PC, with what its configuration, a shell script, sets
 *     alpine, server, several links -> router, if the script switches forwarding on
 *     iosv, iol-xe, csr1000v        -> router, with the addresses and static routes of its configuration
 *     unmanaged_switch              -> switch
 *     conditions of a link          -> impairments
 *
 * What a lab cannot run is reported with its line: other node definitions, and lines of a configuration by their text.
 */

import { type Fields, fieldsOf, rowsOf } from "../file/fields.ts";
import { parseYaml } from "../file/parse-yaml.ts";
import { type Path, Problems } from "../file/problem.ts";
import type { Topology } from "../read/read-lab.ts";
import { readIosConfig } from "./ios-config.ts";
import { LinuxDraft } from "./linux-config.ts";
import { readExec } from "./linux-exec.ts";
import { natural } from "./natural-order.ts";
import { isHost, notSimulated, standsForHost, toPc, toRouter } from "./simulated-host.ts";
import { uniqueNames } from "./unique-names.ts";

const LINUX = new Set(["alpine", "server"]);
const IOS = new Set(["iosv", "iol-xe", "csr1000v"]);
const SWITCH = "unmanaged_switch";

/** Whether a YAML text is a topology of CML: only its nodes have a `node_definition`. */
export const isCml = (text: string): boolean => /\bnode_definition\s*:/.test(text);

/** @throws LabFileError with all problems. */
export function readCml(text: string, file: string): Topology {
  const { data, locate } = parseYaml(text, file);
  const problems = new Problems(locate, file);
  const nodes = rowsOf(fieldsOf(data).nodes);
  const names = uniqueNames(nodes.map(({ id, label }) => ({ id: String(id), name: String(label ?? id) })));
  const links = rowsOf(fieldsOf(data).links).flatMap((link, index) =>
    readLink(link, nodes, ["links", index], problems),
  );
  const converted: Record<string, unknown> = {};
  for (const [index, node] of nodes.entries()) {
    const ports = links
      .flatMap(({ ends }) => ends.filter((end) => end.node === String(node.id)).map(({ port }) => port))
      .toSorted(natural);
    const spec = convert(node, ports, ["nodes", index], problems);
    if (spec) converted[names.get(String(node.id))!] = spec;
  }
  if (nodes.length === 0) problems.add([], "has no nodes.");
  problems.throwIfAny();
  const endText = ({ node, port }: End): string => {
    const name = names.get(node)!;
    // A PC has one port, whatever its interface was called.
    return fieldsOf(converted[name]).type === "pc" ? name : `${name}:${port}`;
  };
  return {
    nodes: converted,
    hosts: nodes.flatMap(({ id, node_definition: definition }) => {
      const name = names.get(String(id))!;
      return LINUX.has(String(definition)) && standsForHost(fieldsOf(converted[name])) ? [name] : [];
    }),
    links: links.map(({ ends, impairments }) => ({
      link: ends.map(endText).join(" -- "),
      ...(impairments && { impairments }),
    })),
  };
}

interface End {
  /** The node's id. */
  readonly node: string;
  /** The interface's label. */
  readonly port: string;
}

interface Link {
  readonly ends: readonly [End, End];
  readonly impairments: object | undefined;
}

function readLink(link: Fields, nodes: readonly Fields[], path: Path, problems: Problems): Link[] {
  const endOf = (nodeKey: "n1" | "n2", portKey: "i1" | "i2"): End | undefined => {
    const node = nodes.find(({ id }) => id === link[nodeKey]);
    const port = rowsOf(node?.interfaces).find(({ id }) => id === link[portKey]);
    if (node === undefined || port === undefined) {
      const [missing, value] = node ? [portKey, link[portKey]] : [nodeKey, link[nodeKey]];
      problems.add([...path, missing], `names no ${node ? "interface" : "node"}: ${JSON.stringify(value)}.`);
      return undefined;
    }
    return { node: String(node.id), port: String(port.label ?? port.id).replaceAll(/\s+/g, "") };
  };
  const ends = [endOf("n1", "i1"), endOf("n2", "i2")] as const;
  const [a, b] = ends;
  const impairments = readConditions(link.conditioning, [...path, "conditioning"], problems);
  return a && b ? [{ ends: [a, b], impairments }] : [];
}

/** The units of CML: kb/s, ms, percent. */
function readConditions(value: unknown, path: Path, problems: Problems): object | undefined {
  const { enabled, bandwidth, latency, jitter, loss, ...others } = fieldsOf(value);
  if (enabled === false) return undefined;
  for (const [key, other] of Object.entries(others))
    if (typeof other === "number" && other > 0) problems.add([...path, key], "cannot be run here.");
  const isSet = (number: unknown): number is number => typeof number === "number" && number > 0;
  const both = {
    ...(isSet(bandwidth) && { rate: `${bandwidth}kbit` }),
    ...((isSet(latency) || isSet(jitter)) && {
      delay: { delay: `${Number(latency ?? 0)}ms`, ...(isSet(jitter) && { jitter: `${jitter}ms` }) },
    }),
    ...(isSet(loss) && { loss: `${loss}%` }),
  };
  return Object.keys(both).length === 0 ? undefined : { both };
}

function convert(
  { label, node_definition: definition, configuration }: Fields,
  ports: readonly string[],
  path: Path,
  problems: Problems,
): object | undefined {
  const kind = String(definition);
  if (kind === SWITCH) return { type: "switch", ports: ports.map((name) => ({ name })) };
  const at = [...path, "configuration"];
  const lines = textOf(configuration).split(/\r?\n/);
  if (LINUX.has(kind)) return convertLinux(lines, ports, at, problems);
  if (IOS.has(kind)) return convertIos(lines, ports, at, problems);
  const known = [...LINUX, ...IOS, SWITCH].join(", ");
  problems.add(
    [...path, "node_definition"],
    `cannot be run here: ${String(label)} is of the definition ${JSON.stringify(definition ?? null)}. Definitions that can: ${known}.`,
  );
  return undefined;
}

/** A text, or from CML 2.7 on a list of files. */
const textOf = (configuration: unknown): string =>
  typeof configuration === "string"
    ? configuration
    : rowsOf(configuration)
        .map(({ content }) => String(content ?? ""))
        .join("\n");

/** Lines of the images' own scripts that change nothing that a lab shows. */
const HARMLESS = /^(?:#.*|hostname\b.*|[A-Z_]+=.*|exit 0|)$/;
const FORWARDS = /net\.ipv4\.ip_forward ?= ?1/;

function convertLinux(
  lines: readonly string[],
  ports: readonly string[],
  path: Path,
  problems: Problems,
): object {
  const commands = lines
    .map((line) => line.trim().replace(/\s+#.*$/, ""))
    .filter((line) => !HARMLESS.test(line))
    .map((line) => ({ words: ["sh", "-c", line.replace(/^sudo /, "")], path }));
  const config = new LinuxDraft(new Set(ports));
  for (const { text, why } of readExec(commands, config))
    problems.add(path, `cannot be run here: ${JSON.stringify(text)}: ${why}.`);
  const why = notSimulated(config, ports.length);
  if (why !== undefined) problems.add(path, `cannot be run here: ${why}.`);
  if (isHost(config, ports.length)) return toPc(config);
  if (ports.length > 1 && !commands.some(({ words }) => FORWARDS.test(words.join(" "))))
    problems.add(path, "cannot be run here: the node has several links and does not forward.");
  return toRouter(config, ports);
}

function convertIos(
  lines: readonly string[],
  ports: readonly string[],
  path: Path,
  problems: Problems,
): object {
  const { addresses, mtus, routes } = readIosConfig(lines, ports, (message) => problems.add(path, message));
  return {
    type: "router",
    ports: ports.map((name) => {
      const mtu = mtus.get(name);
      return { ...toPort(name, addresses.get(name) ?? [], path, problems), ...(mtu && { mtu }) };
    }),
    routes: routes.map(({ to, via }) => ({ to, via })),
  };
}

function toPort(name: string, addresses: readonly string[], path: Path, problems: Problems): object {
  const [ipv4, more4] = addresses.filter((address) => !address.includes(":"));
  const [ipv6, more6] = addresses.filter((address) => address.includes(":"));
  const more = more4 ?? more6;
  if (more) problems.add(path, `cannot be run here: ${name} has a second address, ${more}.`);
  return { name, ...(ipv4 && { ipv4 }), ...(ipv6 && { ipv6 }) };
}
