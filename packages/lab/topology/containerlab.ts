/**
 * Converts a containerlab topology (https://containerlab.dev/manual/topo-def-file/) to the nodes and links of a lab file:
 *
 *     kind linux, one link         -> PC, with the addresses and the default gateway that its `exec` sets
 *     kind linux, other routes     -> router: a PC has a default gateway only
 *     kind linux, several links    -> router: Linux containers forward (Docker sets net.ipv4.ip_forward)
 *     kind linux, else             -> Linux node of the image `debian`, with its files and commands
 *     kind frr; FRR, BIRD in linux -> Linux node of the image `frr` or `bird`
 *     kind bridge, ovs-bridge      -> switch
 *
 * What a Linux node cannot do either is refused with its line: other kinds, and what belongs to the host.
 */
import { parseRouterProperties } from "@wirelab/engine/devices/router/index";
import { type Fields, fieldsOf } from "../file/fields.ts";
import { parseYaml } from "../file/parse-yaml.ts";
import { describeAt, formatPlace, type Path, Problems } from "../file/problem.ts";
import type { Topology } from "../read/read-lab.ts";
import { seesFiles } from "./clab/binds.ts";
import { isHostOnBridge } from "./clab/bridging.ts";
import { checkKeys } from "./clab/check-keys.ts";
import { type Container, type Converted, fieldOf, layersOf, readContainer } from "./clab/container.ts";
import { configOf, guestImageOf, toGuest } from "./clab/guest-node.ts";
import { FILE_KEYS, NODE_KEYS, TOPOLOGY_KEYS } from "./clab/keys.ts";
import { type Link, readLinks } from "./clab/links.ts";
import { hostScripts } from "./clab/netlab.ts";
import type { Surroundings } from "./clab/surroundings.ts";
import { renderTemplate } from "./clab/template.ts";
import { type Environment, replaceVariables } from "./clab/variables.ts";
import { warningsOf } from "./clab/warnings.ts";
import { LinuxDraft } from "./linux-config.ts";
import { readExec } from "./linux-exec.ts";
import { natural } from "./natural-order.ts";
import { isHost, notSimulated, standsForHost, toPc, toRouter } from "./simulated-host.ts";

const KINDS = ["linux", "frr", "bridge", "ovs-bridge"];
const DEFAULT_GUEST = "debian";

/** @throws LabFileError with all problems. */
export function readContainerlab(
  given: string,
  file: string,
  environment: Environment = {},
  surroundings: Surroundings = {},
): Topology {
  const { text, sourceOf } = renderTemplate(given, file, surroundings);
  const { data, locate } = parseYaml(replaceVariables(text, environment), file, { sourceOf });
  const problems = new Problems(locate, file);
  const whole = fieldsOf(data);
  checkKeys(whole, [], FILE_KEYS, problems);
  const topology = fieldsOf(whole.topology);
  checkKeys(topology, ["topology"], TOPOLOGY_KEYS, problems);
  const names = Object.keys(fieldsOf(topology.nodes));
  const links = readLinks(topology.links, names, problems);
  const context: Context = {
    topology,
    links,
    isNetlab: isNetlab(whole),
    labName: `clab-${String(whole.name ?? "")}`,
    folder: file.slice(0, file.lastIndexOf("/") + 1),
    surroundings: isNetlab(whole) ? surroundings : {},
    placeOf: (path) => formatPlace(file, locate(path)),
  };
  const converted = names.flatMap((name) => convert(name, context, problems) ?? []);
  if (names.length === 0) problems.add(["topology"], "has no nodes.");
  problems.throwIfAny();
  const nodes = Object.fromEntries(converted.map(({ name, node }) => [name, node]));
  const isPc = (name: string): boolean => fieldsOf(nodes[name]).type === "pc";
  return {
    nodes,
    hosts: converted
      .filter(({ node, isHost: isGuestHost }) => isGuestHost || standsForHost(fieldsOf(node)))
      .map(({ name }) => name),
    warnings: warningsOf(converted).map(({ path, text }) => describeAt(path, text, locate, file)),
    links: links.flatMap(({ ends }) =>
      ends.length < 2
        ? []
        : [
            {
              // A PC has one port, whatever the interface of the container was called.
              link: ends.map(({ node, port }) => (isPc(node) ? node : `${node}:${port}`)).join(" -- "),
            },
          ],
    ),
  };
}

/** Netlab names its management network so. */
const isNetlab = ({ mgmt }: Fields): boolean => String(fieldsOf(mgmt).network ?? "").startsWith("netlab");

/** The nodes of a netlab topology are made from their devices. */
const NETLAB_WAY_OUT =
  "Run `netlab create -d frr` (or `-d bird`); a node with a `device` of its own in the netlab topology needs `device: frr`";

interface Context {
  readonly topology: Fields;
  readonly links: readonly Link[];
  readonly isNetlab: boolean;
  /** Containerlab's folder of the lab. */
  readonly labName: string;
  readonly folder: string;
  readonly surroundings: Surroundings;
  readonly placeOf: (path: Path) => string;
}

function convert(name: string, context: Context, problems: Problems): Converted | undefined {
  const { topology, links, labName } = context;
  const layers = layersOf(name, topology);
  const kind = String(fieldOf(layers, "kind") ?? "");
  if (!KINDS.includes(kind)) {
    const wayOut = context.isNetlab ? NETLAB_WAY_OUT : "Replace the node, or delete it and its links";
    problems.add(
      ["topology", "nodes", name],
      `cannot be run here: it is of the kind ${JSON.stringify(kind)}. Kinds that can: ${KINDS.join(", ")}. ${wayOut}.`,
    );
    return undefined;
  }
  const endsOf = (count: number) =>
    links.flatMap((link) =>
      link.ends.length === count ? link.ends.filter(({ node }) => node === name) : [],
    );
  const [dummies, ends] = [endsOf(1), endsOf(2)];
  if (kind === "bridge" || kind === "ovs-bridge") {
    for (const { path, fields } of layers) checkKeys(fields, path, NODE_KEYS, problems);
    return {
      name,
      node: { type: "switch", ports: ends.map(({ port }) => ({ name: port })) },
      container: undefined,
      isHost: false,
    };
  }
  const container = readContainer(name, kind, layers, { ends, dummies }, labName, problems);
  const image = guestImageOf(container);
  const scripts = hostScripts(container, context.folder, context.surroundings, problems);
  const node =
    (image === undefined && dummies.length === 0 && scripts === undefined
      ? simulate(container)
      : undefined) ?? toGuest(container, image ?? DEFAULT_GUEST, { ...context, scripts }, problems);
  const isGuestHost =
    image === undefined &&
    ((ends.length === 1 && (scripts?.addresses.length ?? 0) > 0) ||
      isHostOnBridge(container, configOf(container)));
  return { name, node, container, isHost: isGuestHost };
}

/** @returns undefined for a container that no simulated device can stand for. */
function simulate(container: Container): object | undefined {
  const { ends, commands, sysctls, main } = container;
  if (seesFiles(container) || main?.isEntry === true || ends.some(({ mac }) => mac !== undefined))
    return undefined;
  if (main !== undefined && !main.words[0]!.startsWith("-")) return undefined;
  const ports = ends.map(({ port }) => port).toSorted(natural);
  const config = new LinuxDraft(new Set(ports));
  for (const { port, mtu } of ends) if (mtu !== undefined) config.mtus.set(port, mtu);
  const settings = sysctls.map(({ text, path }) => ({ words: ["sysctl", "-w", text], path }));
  if (readExec([...settings, ...commands], config).length > 0) return undefined;
  if (notSimulated(config, ports.length) !== undefined) return undefined;
  if (isHost(config, ports.length)) return toPc(config);
  const router = toRouter(config, ports);
  // A host takes what a router refuses: networks of two ports that overlap.
  return parseRouterProperties({ ports: router.ports, routes: router.routes }).ok ? router : undefined;
}
