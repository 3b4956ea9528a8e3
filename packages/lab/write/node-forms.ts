/** The reverse of `read/read-nodes.ts`: a node of the interface as a node of a lab file, in a short form where that says the same. */
import type { Kind, LabType } from "@wirelab/engine/devices/kinds";
import type { Properties } from "@wirelab/engine/devices/node-reader";
import { switchPropertiesOf } from "@wirelab/engine/net/bridge/settings/parse";
import { nodeSchemas } from "../file/schema.ts";
import { DEFAULT_PORTS } from "../read/read-switch.ts";

type Fields = Readonly<Record<string, unknown>>;

/** What stands in a lab file beside `type`. */
type Write = (properties: Properties) => Fields;

const ADDRESS_LINE = /^ip ([0-9.]+\/[0-9]+|dhcp)(?: ([0-9.]+))?$/;
/** As VPCS saves it. */
const SAVED_LINE = /^ip ([0-9.]+) (?:([0-9.]+) )?([0-9]+)$/;
const ADDRESS6_LINE = /^ip ([0-9a-f:]+\/[0-9]+|auto)$/i;

/** Lines that a PC skips, and its name, which it has from the lab. */
const IDLE_LINE = /^\s*(#|$|set pcname\b)/;

function pc({ startup_script, ignore_checksums }: Properties): Fields {
  const lines = typeof startup_script === "string" ? startup_script.split(/\r?\n/) : [];
  const commands = lines.filter((line) => !IDLE_LINE.test(line)).map((line) => inLabWords(line.trim()));
  const ips: string[] = [];
  const [, ip, gateway] = ADDRESS_LINE.exec(commands[0] ?? "") ?? [];
  if (ip !== undefined) ips.push(ip);
  const [, ip6] = ADDRESS6_LINE.exec(commands[ips.length] ?? "") ?? [];
  if (ip6 !== undefined) ips.push(ip6);
  const rest = commands.slice(ips.length);
  return {
    ...(ips.length > 0 && { ip: oneOrAll(ips) }),
    ...(gateway !== undefined && { gateway }),
    ...(rest.length > 0 && { commands: rest }),
    ...(ignore_checksums === true && { ignore_checksums }),
  };
}

const inLabWords = (line: string): string => {
  const [, address, gateway, length] = SAVED_LINE.exec(line) ?? [];
  if (address !== undefined) return `ip ${address}/${length}${gateway === undefined ? "" : ` ${gateway}`}`;
  return line === "dhcp" ? "ip dhcp" : line;
};

const oneOrAll = <T>(list: readonly T[]): T | readonly T[] => (list.length === 1 ? list[0]! : list);

const portsOf = ({ ports_mapping }: Properties): readonly Fields[] =>
  Array.isArray(ports_mapping) ? (ports_mapping as readonly Fields[]) : [];

function switchForm(properties: Properties): Fields {
  const ports = portsOf(properties).map(({ name, type, vlan, ethertype }, index) => ({
    ...(typeof name === "string" && name !== `Ethernet${index}` && { name }),
    ...(type !== undefined && type !== "access" && { type }),
    ...(vlan !== undefined && vlan !== 1 && { vlan }),
    ...(typeof ethertype === "string" && ethertype !== "" && { ethertype }),
  }));
  return { ...shortPorts(ports), ...switchPropertiesOf(properties) };
}

/** Ports that are all alike need a number alone, and VLANs of ports without other settings are a map. */
function shortPorts(ports: readonly Fields[]): Fields {
  const isPlain = ({ name, ethertype, type, vlan }: Fields): boolean =>
    name === undefined &&
    ethertype === undefined &&
    (type === undefined || (type === "dot1q" && vlan === undefined));
  if (!ports.every(isPlain)) return { ports };
  const vlans = ports.flatMap(({ type, vlan }, index) =>
    type === undefined && vlan === undefined ? [] : [[String(index), type === undefined ? vlan : "trunk"]],
  );
  return {
    ...(ports.length > 0 && ports.length !== DEFAULT_PORTS && { ports: ports.length }),
    ...(vlans.length > 0 && { vlans: Object.fromEntries(vlans) }),
  };
}

const pick = (given: Properties, keys: readonly string[]): Fields =>
  Object.fromEntries(keys.flatMap((key) => (given[key] == null ? [] : [[key, given[key]]])));
const keysOf = (type: "router" | "nat" | "server" | "linux"): string[] =>
  Object.keys(nodeSchemas[type].shape).filter((key) => key !== "type" && key !== "started");

function router(properties: Properties): Fields {
  const { ports, ...others } = pick(properties, keysOf("router"));
  const shown = Array.isArray(ports) ? { ports: ports.map(shortPort) } : {};
  return { ...shown, ...others };
}

/** A port with one address and nothing else is that address. */
function shortPort(port: unknown, index: number): unknown {
  if (typeof port !== "object" || port === null) return port;
  const { name, ...others } = port as Fields;
  const isUsual = name === undefined || name === `Ethernet${index}`;
  const entries = Object.entries(others).filter(([, value]) => value != null);
  const [only] = entries;
  const isAddress = only !== undefined && (only[0] === "ipv4" || only[0] === "ipv6");
  if (isUsual && entries.length === 1 && isAddress) return only[1];
  return isUsual ? others : port;
}

function server({ ipv4, ipv6, gateway, gateway6, ...others }: Properties): Fields {
  const ips = [ipv4, ipv6].filter((address) => address != null);
  const gateways = [gateway, gateway6].filter((address) => address != null);
  return {
    ...(ips.length > 0 && { ip: oneOrAll(ips) }),
    ...(gateways.length > 0 && { gateway: oneOrAll(gateways) }),
    ...pick(
      others,
      keysOf("server").filter((key) => key !== "ip" && key !== "gateway"),
    ),
  };
}

/** The name of an image without what the interface puts before it. */
const imageName = (image: unknown): Fields =>
  typeof image === "string" ? { image: image.replace(/^wirelab\/linux:?/, "") || "debian" } : {};

function linux({ image, ...properties }: Properties): Fields {
  const { hostname, files, commands, ports } = properties;
  return {
    ...imageName(image),
    ...(typeof hostname === "string" && { hostname }),
    ...(Array.isArray(ports) && { ports }),
    ...(isFilled(files) && { files }),
    ...(isFilled(commands) && { commands }),
  };
}

const isFilled = (value: unknown): boolean =>
  typeof value === "object" && value !== null && Object.keys(value).length > 0;

const FORMS: Readonly<Record<LabType, Write>> = {
  pc,
  switch: switchForm,
  hub: (properties) => shortPorts(portsOf(properties).map(() => ({}))),
  router,
  server,
  nat: (properties) => pick(properties, keysOf("nat")),
  linux,
  // What is behind a cloud is a matter of the machine on which the lab runs live.
  cloud: () => ({}),
};

/** @param properties as the interface has them; settings of containers among them are left out. */
export const toLabFileNode = ({ labType }: Kind, properties: Properties): Fields => ({
  type: labType,
  ...FORMS[labType](properties),
});
