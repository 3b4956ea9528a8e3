/**
 * The commands that change the running configuration. Each command edits it in the form of the API's `properties` and validates it
 * with the API's parser, so that console and API have the same rules. The parser's message rejects an invalid change.
 */
import { formatRouterProperties, type PortProperties, type RouterProperties } from "./config.ts";
import { pool } from "./dhcp-pool-shape.ts";
import { remotePools } from "./dhcp-pools/pool-index.ts";
import { isOfPool } from "./dhcp-reservations.ts";
import { findPort, noSuchPort } from "./find-port.ts";
import { addRule, groupEdit, removeRule } from "./firewall/edit-acls.ts";
import { resetConnections, setConnections } from "./firewall/edit-connections.ts";
import { addInterface, removeInterface } from "./interfaces/commands.ts";
import { addNat, removeNat } from "./nat/edit-nat.ts";
import type { Parts } from "./parts.ts";
import { PHYSICAL } from "./port-shape.ts";
import { formatAnyPrefix, parseAnyPrefix, parsePrefix4, parsePrefix6 } from "./prefix.ts";
import { parseRouterProperties } from "./properties.ts";
import { ROUTE_USAGE, type RouteChoice, readChoice, readRouteWords } from "./routes/commands.ts";
import { distanceOf, parseVia } from "./routes/route-spec.ts";

type Lines = readonly string[];
type Edit = (properties: RouterProperties, args: readonly string[]) => RouterProperties | string;
type PortEdit = (
  port: PortProperties,
  args: readonly string[],
  properties: RouterProperties,
) => PortProperties | string;

export const ipCommand = portCommand("ip PORT ADDR/LEN | ip PORT none [ipv4|ipv6]", (port, args) => {
  const [value = "", family] = args.map((arg) => arg.toLowerCase());
  if (value === "none") return withoutAddress(port, family);
  if (args.length !== 1) return USAGE;
  if (parsePrefix4(value) !== null) return { ...port, ipv4: value };
  if (parsePrefix6(value) !== null) return { ...port, ipv6: value };
  return `${value} is not an address with prefix length, like 10.0.1.1/24 or 2001:db8::1/64`;
});

/** A command with the words of a setting. @param off the word that takes it away. */
export const settingCommand = (key: keyof PortProperties, usage: string, off?: string) =>
  portCommand(usage, (port, words) => {
    if (words.length === 1 && words[0]!.toLowerCase() === off) {
      const { [key]: _, ...others } = port;
      return others;
    }
    const value = PHYSICAL[key].kind.parse(words);
    return value === undefined ? USAGE : { ...port, [key]: value };
  });

export const mtuCommand = settingCommand("mtu", "mtu PORT BYTES");
export const vrfCommand = settingCommand("vrf", "vrf PORT NAME|none", "none");
export const raCommand = settingCommand("ra", "ra PORT on|off");
export const dhcpCommand = settingCommand("dhcp", `dhcp PORT ${pool.placeholder} | dhcp PORT off`, "off");

export const shutdownCommand = portCommand("shutdown PORT", (port, args) =>
  args.length > 0 ? USAGE : { ...port, shutdown: true },
);

const ACCESS_GROUP = "access-group PORT NAME in|out";
export const NO_USAGE =
  "no shutdown PORT | no interface NAME | no [ipv6] access-list NAME [SEQ] | no access-group PORT NAME in|out | no connections KEY | no ip nat RULE";

const changing =
  (edit: Edit) =>
  (parts: Parts, args: readonly string[]): Lines =>
    change(parts, (properties) => edit(properties, args));

/** `ipv6 access-list`: the commands of the other family. */
const ofIpv6 =
  (edit: Edit): Edit =>
  (properties, [what, ...args]) =>
    what?.toLowerCase() === "access-list" ? edit(properties, args) : "Usage: [no] ipv6 access-list NAME ...";

export const natCommand = changing(addNat);
export const accessListCommand = changing(addRule("ipv4"));
export const ipv6Command = changing(ofIpv6(addRule("ipv6")));
export const accessGroupCommand = portCommand(ACCESS_GROUP, groupEdit(true));
export const connectionsCommand = changing(setConnections);

const NO: Readonly<Record<string, (parts: Parts, args: readonly string[]) => Lines>> = Object.assign(
  Object.create(null),
  {
    "access-list": changing(removeRule("ipv4")),
    ipv6: changing(ofIpv6(removeRule("ipv6"))),
    "access-group": portCommand(`no ${ACCESS_GROUP}`, groupEdit(false)),
    connections: changing(resetConnections),
    ip: changing((properties, [what, ...args]) =>
      what?.toLowerCase() === "nat" ? removeNat(properties, args) : `Usage: ${NO_USAGE}`,
    ),
  },
);

const startPort = portCommand(NO_USAGE, (port, args) =>
  args.length > 0 ? USAGE : { ...port, shutdown: false },
);

export function noCommand(parts: Parts, [what, ...args]: readonly string[]): Lines {
  if (what?.toLowerCase() === "shutdown") return startPort(parts, args);
  if (what?.toLowerCase() === "interface" && args.length === 1)
    return change(parts, (properties) => removeInterface(properties, args[0]!));
  return NO[what?.toLowerCase() ?? ""]?.(parts, args) ?? [`Usage: ${NO_USAGE}`];
}

export const interfaceCommand = (parts: Parts, args: readonly string[]): Lines =>
  change(parts, (properties) => addInterface(properties, args));

export function routeCommand(parts: Parts, args: readonly string[]): Lines {
  const [verb, prefix = "", ...words] = args.map((arg, index) =>
    args[index - 1]?.toLowerCase() === "vrf" ? arg : arg.toLowerCase(),
  );
  const route = verb === "add" && prefix !== "" ? readRouteWords(prefix, words) : undefined;
  if (route !== undefined)
    return change(parts, (properties) => ({
      ...properties,
      routes: [...(properties.routes ?? []), route],
    }));
  const choice = verb === "del" && prefix !== "" ? readChoice(words) : undefined;
  if (choice !== undefined) return change(parts, (properties) => removeRoute(properties, prefix, choice));
  return [`Usage: ${ROUTE_USAGE}`];
}

/** An error text that is replaced by the usage of the current command. */
export const USAGE = "";

/** A command whose first argument is a port. */
export function portCommand(usage: string, edit: PortEdit): (parts: Parts, args: readonly string[]) => Lines {
  return (parts, [name, ...args]) => {
    if (name === undefined) return [`Usage: ${usage}`];
    const index = findPort(parts.core.tables.ports, name)?.index;
    if (index === undefined) return [noSuchPort(name)];
    return change(parts, (properties) => {
      const { ports = [], interfaces = [] } = properties;
      const edited = edit([...ports, ...interfaces][index]!, args, properties);
      if (typeof edited === "string") return edited === USAGE ? `Usage: ${usage}` : edited;
      if (index < ports.length) return { ...properties, ports: ports.with(index, edited) };
      return { ...properties, interfaces: interfaces.with(index - ports.length, edited) };
    });
  };
}

function withoutAddress(port: PortProperties, family: string | undefined): PortProperties | string {
  const { ipv4, ipv6, ...neither } = port;
  if (family === undefined) return neither;
  if (family === "ipv4") return { ...neither, ...(ipv6 !== undefined && { ipv6 }) };
  return family === "ipv6" ? { ...neither, ...(ipv4 !== undefined && { ipv4 }) } : USAGE;
}

function removeRoute(
  properties: RouterProperties,
  text: string,
  { distance, via, vrf }: RouteChoice,
): RouterProperties | string {
  const prefix = parseAnyPrefix(text);
  if (prefix === null) return `${text} is not a prefix, like 10.9.0.0/16 or 2001:db8::/32`;
  const spelled = formatAnyPrefix(prefix);
  const gateway = via === undefined ? undefined : parseVia(via);
  if (gateway === null) return `${via} is not an IPv4 or IPv6 address, blackhole or unreachable`;
  const routes = (properties.routes ?? []).filter(
    (route) =>
      route.to !== spelled ||
      route.vrf !== vrf ||
      (distance !== undefined && distanceOf(route) !== distance) ||
      (gateway !== undefined && parseVia(route.via) !== gateway),
  );
  if (routes.length === (properties.routes ?? []).length)
    return `There is no static route to ${spelled}${via === undefined ? "" : ` via ${via}`}`;
  return { ...properties, routes };
}

/** Applies an edit of the running configuration. @returns the error; undefined if the edit was valid. */
export function change(
  parts: Parts,
  edit: (properties: RouterProperties) => RouterProperties | string,
): Lines {
  const edited = edit(formatRouterProperties(parts.core.running));
  if (typeof edited === "string") return [edited];
  const parsed = parseRouterProperties(edited);
  if (!parsed.ok) return parsed.problems.map(({ path, message }) => sentence(path, message));
  const before = parts.core.tables.ports;
  parts.core.configure(parsed.config);
  const { ports } = parts.core.tables;
  for (const index of before.keys()) {
    if (before[index]?.name === ports[index]?.name && before[index]?.vrf === ports[index]?.vrf) continue;
    parts.arp.clear(index);
    parts.neighbours.clear(index);
  }
  for (const [index, port] of ports.entries()) {
    if (port.ipv4?.address !== before[index]?.ipv4?.address) parts.arp.clear(index);
    if (port.ipv4?.mask !== before[index]?.ipv4?.mask) parts.arp.clear(index);
    if (port.ipv6?.address !== before[index]?.ipv6?.address) parts.neighbours.clear(index);
  }
  const remote = remotePools(parsed.config.dhcpPools);
  parts.leases.keep((port, address) => {
    const pool = ports[port]?.pool ?? remote.find(({ index }) => index === port)?.pool;
    return pool !== undefined && isOfPool(pool, address);
  });
  return [];
}

/** Prepends the key, because messages about the shape of a value do not name it. */
function sentence(path: readonly (string | number)[], message: string): string {
  return message.startsWith("must ") ? `${path.at(-1)} ${message}` : message;
}
