/** Reads `nodes`: a map from names to types, addresses or objects. */
import { kindInLab } from "@wirelab/engine/devices/find-kind";
import type { Kind } from "@wirelab/engine/devices/kinds";
import { macOf } from "@wirelab/engine/devices/node-kind";
import { pcKind } from "@wirelab/engine/devices/pc/kind";
import { interfacesOf } from "@wirelab/engine/devices/router/config";
import { parseRouterProperties, type RouterConfig } from "@wirelab/engine/devices/router/index";
import { routerKind } from "@wirelab/engine/devices/router/kind";
import type { SwitchPort } from "@wirelab/engine/devices/switch/index";
import { switchPropertiesOf } from "@wirelab/engine/devices/switch/settings/names";
import { parseSwitch } from "@wirelab/engine/devices/switch/settings/parse";
import { ETHERTYPE_VLAN } from "@wirelab/engine/wire/ethernet";
import { checkShape, shown } from "../file/check-shape.ts";
import type { Path, Problems } from "../file/problem.ts";
import { NODE_TYPES, nodeSchemas } from "../file/schema.ts";
import type { NodeModel } from "../model/lab-model.ts";
import type { Expansion } from "./expansion.ts";
import type { LookAt } from "./read-guest-files.ts";
import { type Guests, type LinuxContext, makeLinux } from "./read-linux.ts";
import { makeNat } from "./read-nat.ts";
import { readOutside } from "./read-outside.ts";
import type { LoadFile } from "./read-replay.ts";
import { makeServer } from "./read-server.ts";

const NAME = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}$/;
const PREFIX = /^[0-9a-fA-F.:]+\/[0-9]+$/;
const DEFAULT_PORTS = 8;
const MAX_PORTS = 256;
export interface NodeSurroundings {
  /** How many ports the links need, by node: a switch or hub without `ports` has at least these. */
  readonly portsUsed: ReadonlyMap<string, number>;
  readonly guests: Guests | undefined;
  readonly load: LoadFile;
  readonly look?: LookAt | undefined;
  readonly expansion: Expansion;
}

export function readNodes(
  data: Readonly<Record<string, unknown>>,
  { portsUsed, guests, load, look, expansion }: NodeSurroundings,
  problems: Problems,
): NodeModel[] {
  let numbered = 0;
  const nodes: NodeModel[] = [];
  for (const [name, value] of Object.entries(data)) {
    const path = ["nodes", name];
    if (!NAME.test(name)) {
      problems.add(path, "is not a name of a node: letters, digits, and . _ - inside.");
      continue;
    }
    const given = expand(value, path, problems);
    if (given === undefined) continue;
    const index = given.kind.macs ? numbered++ : 0;
    const context = { index, portsUsed: portsUsed.get(name) ?? 0, guests, load, look, expansion };
    const node = make(name, given, context, path, problems);
    if (node) nodes.push({ ...node, name, place: problems.placeOf(path) });
  }
  return nodes;
}

interface Given {
  readonly kind: Kind;
  readonly value: Readonly<Record<string, unknown>>;
}

/** Turns a text into the object that it stands for. */
function expand(value: unknown, path: Path, problems: Problems): Given | undefined {
  if (value === null || value === undefined) return { kind: pcKind, value: {} };
  if (typeof value === "string") {
    if (PREFIX.test(value) || value === "dhcp" || value === "auto")
      return { kind: pcKind, value: { ip: value } };
    const kind = kindInLab(value);
    if (kind) return { kind, value: { type: value } };
    problems.add(path, `must be a type or an address, got ${shown(value)}.`, {
      given: value,
      known: NODE_TYPES,
    });
    return undefined;
  }
  if (typeof value !== "object" || Array.isArray(value)) {
    problems.add(path, `must be a type, an address or a map, got ${shown(value)}.`);
    return undefined;
  }
  const given = value as Readonly<Record<string, unknown>>;
  const kind = given.type === undefined ? pcKind : kindInLab(String(given.type));
  if (kind) return { kind, value: given };
  problems.add([...path, "type"], `is not a type: ${shown(given.type)}.`, {
    given: String(given.type),
    known: NODE_TYPES,
  });
  return undefined;
}

type Made = Omit<NodeModel, "name" | "place">;

function make(
  name: string,
  { kind, value }: Given,
  context: LinuxContext,
  path: Path,
  problems: Problems,
): Made | undefined {
  const { index } = context;
  switch (kind.labType) {
    case "pc":
      return makePc(name, value, index, path, problems);
    case "switch":
      return makeSwitch(name, value, context, path, problems);
    case "hub": {
      const given = checkShape(nodeSchemas.hub, value, path, problems);
      if (given === undefined) return undefined;
      const { ports = Math.max(DEFAULT_PORTS, context.portsUsed), started: isStarted = true } = given;
      if (!mayHave(ports, "hub", context, path, problems)) return undefined;
      return {
        spec: { type: "ethernet_hub", name, ports },
        ports: portNames(ports),
        isStarted,
        addresses: [],
      };
    }
    case "router":
      return makeRouter(name, value, context, path, problems);
    case "server":
      return makeServer(name, value, index, path, problems);
    case "nat":
      return makeNat(name, value, index, path, problems);
    case "linux":
      return makeLinux(name, value, context, path, problems);
    case "cloud":
      return makeCloud(name, value, path, problems);
  }
}

function makeCloud(name: string, value: object, path: Path, problems: Problems): Made | undefined {
  const given = checkShape(nodeSchemas.cloud, value, path, problems);
  if (given === undefined) return undefined;
  const spec = { type: "cloud", name } as const;
  try {
    return { spec, ports: ["Ethernet0"], isStarted: true, addresses: [], outside: readOutside(given) };
  } catch (error) {
    problems.add(path, `${(error as Error).message}.`);
    return undefined;
  }
}

const listOf = (value: string | readonly string[] | undefined): readonly string[] =>
  value === undefined ? [] : typeof value === "string" ? [value] : value;

const portNames = (count: number): string[] => Array.from({ length: count }, (_, port) => `Ethernet${port}`);

function makePc(
  name: string,
  value: object,
  index: number,
  path: Path,
  problems: Problems,
): Made | undefined {
  const given = checkShape(nodeSchemas.pc, value, path, problems);
  if (given === undefined) return undefined;
  const ips = listOf(given.ip);
  for (const [at, ip] of ips.entries()) {
    if (PREFIX.test(ip) || ip === "dhcp" || ip === "auto") continue;
    const where = typeof given.ip === "string" ? [...path, "ip"] : [...path, "ip", at];
    problems.add(
      where,
      `must be an address with prefix length (10.0.0.1/24), dhcp or auto, got ${shown(ip)}.`,
    );
  }
  const lines = [
    ...ips.map((ip) => (given.gateway && ip.includes(".") ? `ip ${ip} ${given.gateway}` : `ip ${ip}`)),
    ...listOf(given.dns).map((server) => `ip dns ${server}`),
    ...listOf(given.commands).flatMap((command) => command.split("\n")),
  ];
  const isStarted = given.started ?? true;
  return {
    spec: {
      type: "vpcs",
      name,
      index,
      startupScript: lines.join("\n"),
      ignoresChecksums: given.ignore_checksums ?? false,
    },
    ports: ["Ethernet0"],
    isStarted,
    addresses: ips.filter((ip) => PREFIX.test(ip)).map((ip) => ip.split("/")[0]!),
  };
}

/** Whether a switch or hub may have as many ports as its links need, or as it lists. */
function mayHave(
  ports: number,
  what: "switch" | "hub",
  { expansion }: LinuxContext,
  path: Path,
  problems: Problems,
): boolean {
  if (ports > MAX_PORTS) problems.add(path, `needs ${ports} ports; a ${what} has at most ${MAX_PORTS}.`);
  return ports <= MAX_PORTS && expansion.take("ports", ports, path);
}

function makeSwitch(
  name: string,
  value: object,
  context: LinuxContext,
  path: Path,
  problems: Problems,
): Made | undefined {
  const given = checkShape(nodeSchemas.switch, value, path, problems);
  if (given === undefined) return undefined;
  const vlans = Object.entries(given.vlans ?? {});
  const listed = Array.isArray(given.ports) ? given.ports : undefined;
  const highest = vlans.reduce(
    (most, [port]) => Math.max(most, Number.isInteger(Number(port)) ? Number(port) : -1),
    -1,
  );
  const count =
    listed?.length ??
    (given.ports as number | undefined) ??
    Math.max(DEFAULT_PORTS, context.portsUsed, Math.min(MAX_PORTS, highest + 1));
  if (!mayHave(count, "switch", context, path, problems)) return undefined;
  const names = Array.from({ length: count }, (_, port) => listed?.[port]?.name ?? `Ethernet${port}`);
  const ports: SwitchPort[] = Array.from({ length: count }, (_, port) => {
    const { type = "access", vlan = 1, ethertype } = listed?.[port] ?? {};
    return { type, vlan, etherType: ethertype ? Number(ethertype) : ETHERTYPE_VLAN };
  });
  for (const [port, vlan] of vlans) {
    const number = Number(port);
    const where = [...path, "vlans", port];
    if (!Number.isInteger(number) || number < 0 || number >= Math.min(count, MAX_PORTS)) {
      problems.add(where, `is not a port of the switch, which has ports 0 to ${count - 1}.`);
    } else if (vlan === "trunk") ports[number] = { type: "dot1q", vlan: 1, etherType: ETHERTYPE_VLAN };
    else if (vlan < 1 || vlan > 4094)
      problems.add(where, `must be a VLAN from 1 to 4094, or trunk, got ${vlan}.`);
    else ports[number] = { type: "access", vlan, etherType: ETHERTYPE_VLAN };
  }
  const parsed = parseSwitch(switchPropertiesOf(given), { name, ports, portNames: names });
  if (!parsed.ok) {
    for (const { path: at, message } of parsed.problems) problems.add([...path, ...at], `${message}.`);
    return undefined;
  }
  return {
    spec: { type: "ethernet_switch", name, ports, ...parsed.settings },
    ports: names,
    isStarted: given.started ?? true,
    addresses: [],
  };
}

function makeRouter(
  name: string,
  value: object,
  { index, expansion }: LinuxContext,
  path: Path,
  problems: Problems,
): Made | undefined {
  const given = checkShape(nodeSchemas.router, value, path, problems);
  if (given === undefined) return undefined;
  const { type: _, started: _started, ports, routes, ...others } = given;
  const listed = Array.isArray(routes) || routes === undefined ? routes : byDestination(routes);
  const properties = {
    ...others,
    ...(ports && { ports: ports.map((port) => (typeof port === "string" ? addressed(port) : port)) }),
    ...(listed && { routes: listed }),
  };
  const parsed = parseRouterProperties(properties);
  if (!parsed.ok) {
    const keys = Array.isArray(routes) ? undefined : listed?.map(({ to }) => String(to));
    for (const problem of parsed.problems) {
      problems.add([...path, ...placed(problem.path, keys)], `${problem.message}.`.replace(/\.\.$/, "."));
    }
    return undefined;
  }
  if (!expansion.take("ports", parsed.config.ports.length, path)) return undefined;
  return {
    spec: { type: "router", name, mac: macOf(routerKind.macs, index), ...parsed.config },
    ports: parsed.config.ports.map((port) => port.name),
    isStarted: given.started ?? true,
    addresses: addressesOf(parsed.config),
  };
}

const addressed = (prefix: string): object => (prefix.includes(":") ? { ipv6: prefix } : { ipv4: prefix });

const byDestination = (
  routes: Readonly<Record<string, string | readonly string[]>>,
): readonly Readonly<Record<string, unknown>>[] =>
  Object.entries(routes).flatMap(([to, vias]) => [vias].flat().map((via) => ({ to, via })));

/** Routes that were given by destination have no index in the file. */
const placed = (path: Path, keys: readonly string[] | undefined): Path =>
  path[0] === "routes" && typeof path[1] === "number" && keys?.[path[1]] !== undefined
    ? ["routes", keys[path[1]]!]
    : path;

export const addressesOf = (config: Pick<RouterConfig, "ports" | "interfaces">): string[] =>
  interfacesOf(config).flatMap(({ ipv4, ipv6 }) =>
    [ipv4, ipv6].flatMap((prefix) => (prefix ? [prefix.split("/")[0]!] : [])),
  );
