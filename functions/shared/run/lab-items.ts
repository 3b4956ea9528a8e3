/** Converts the store's nodes and links to the engine's. */

import { compileFilter } from "@wirelab/engine/bpf/index";
import { linuxKind } from "@wirelab/engine/devices/linux/kind";
import type { DeviceSpec } from "@wirelab/engine/devices/make-device";
import { parseNatProperties } from "@wirelab/engine/devices/nat/index";
import { natKind } from "@wirelab/engine/devices/nat/kind";
import { macOf } from "@wirelab/engine/devices/node-kind";
import { parseRouterProperties, type RouterSpec } from "@wirelab/engine/devices/router/index";
import { routerKind } from "@wirelab/engine/devices/router/kind";
import { parseServerProperties } from "@wirelab/engine/devices/server/index";
import { serverKind } from "@wirelab/engine/devices/server/kind";
import type { SwitchPort, SwitchSpec } from "@wirelab/engine/devices/switch/index";
import { switchPropertiesOf } from "@wirelab/engine/devices/switch/settings/names";
import { parseSwitch } from "@wirelab/engine/devices/switch/settings/parse";
import { parseFilterSettings } from "@wirelab/engine/link/filters/settings";
import type { LabLink, LabNode, LinkFilters, Wire } from "@wirelab/engine/simulation/lab";
import { ETHERTYPE_VLAN } from "@wirelab/engine/wire/ethernet";
import { failure, failureOf } from "../edge/errors.ts";
import { GUEST_ERRORS } from "../edge/own-errors/guest.ts";
import { linuxImageOf } from "../schemas/linux-image.ts";
import type { LinkItem } from "../store/lab/link.ts";
import { isOnCompute, type NodeItem, portKey } from "../store/lab/node.ts";
import { currentGuests } from "./guests.ts";
import { compileImpairments } from "./impairments.ts";
import { streamNameOf } from "./stream-name.ts";
import { tapOf } from "./tap.ts";

const HOSTNAME_CHARACTERS = 63;

/** Returns the device of a node; undefined for types that do not run here, and for nodes of registered computes. */
function specOf(node: NodeItem): DeviceSpec | undefined {
  const { name, index = 0 } = node;
  const { node_type, properties } = node.document;
  if (isOnCompute(node)) return undefined;
  switch (node_type) {
    case "vpcs": {
      const startupScript = (properties.startup_script as string | undefined) ?? "";
      return {
        type: "vpcs",
        name,
        index,
        startupScript,
        ignoresChecksums: properties.ignore_checksums === true,
      };
    }
    case "ethernet_switch":
      return switchSpecOf(node);
    case "ethernet_hub":
      return { type: "ethernet_hub", name, ports: mappingOf(node).length };
    case "router":
      return routerSpecOf(node);
    case "server": {
      const parsed = parseServerProperties(properties);
      if (!parsed.ok) throw new Error(`Server ${node.node_id} is stored with bad properties`);
      return { type: "server", name, mac: macOf(serverKind.macs, index), ...parsed.config };
    }
    case "nat": {
      const parsed = parseNatProperties(internetOf(properties));
      if (!parsed.ok) throw new Error(`NAT node ${node.node_id} is stored with bad properties`);
      return { type: "nat", name, mac: macOf(natKind.macs, index), ...parsed.config };
    }
    case "linux":
      return linuxSpecOf(node);
    default:
      return undefined;
  }
}

const internetOf = ({ internet }: Readonly<Record<string, unknown>>): object =>
  internet === undefined ? {} : { internet };

interface LinuxProperties {
  readonly image: string;
  readonly hostname?: string;
  readonly ports: readonly (readonly string[])[];
  readonly files: Readonly<Record<string, string>>;
  readonly commands: readonly string[];
}

function linuxSpecOf({ name, index = 0, document }: NodeItem): DeviceSpec {
  const { image, ports, hostname, files, commands } = document.properties as unknown as LinuxProperties;
  return {
    type: "linux",
    name,
    hostname: hostname ?? hostnameOf(name),
    image: linuxImageOf(image)!,
    ports: ports.length,
    mac: macOf(linuxKind.macs, index),
    addresses: ports,
    files,
    commands,
    makeDevice(spec, world, state) {
      const guests = currentGuests();
      if (guests === undefined) throw failureOf(GUEST_ERRORS, "node.needs-guests", { name });
      return guests.makeDevice(spec, world, state);
    },
  };
}

/** A node's name may have characters that the name of a host has not (RFC 1123). */
const hostnameOf = (name: string): string =>
  name
    .replaceAll(/[^A-Za-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "")
    .slice(0, HOSTNAME_CHARACTERS) || "linux";

interface MappingEntry {
  readonly name?: string;
  readonly type?: SwitchPort["type"];
  readonly vlan?: number;
  readonly ethertype?: string;
}

const mappingOf = (node: NodeItem): readonly MappingEntry[] =>
  (node.document.properties.ports_mapping as MappingEntry[] | undefined) ?? [];

const switchPortsOf = (node: NodeItem): SwitchPort[] =>
  mappingOf(node).map(({ type = "access", vlan = 1, ethertype }, port) => ({
    type,
    vlan,
    etherType: ethertype ? Number(ethertype) : ETHERTYPE_VLAN,
    isWired: node.links[portKey(0, port)] !== undefined,
  }));

export function switchSpecOf(node: NodeItem): SwitchSpec {
  const { name } = node;
  const ports = switchPortsOf(node);
  const portNames = mappingOf(node).map((entry, port) => entry.name ?? `Ethernet${port}`);
  const parsed = parseSwitch(switchPropertiesOf(node.document.properties), { name, ports, portNames });
  if (!parsed.ok) throw new Error(`Switch ${node.node_id} is stored with bad properties`);
  return { type: "ethernet_switch", name, ports, ...parsed.settings };
}

export function routerSpecOf(node: NodeItem): RouterSpec {
  const { name, index = 0 } = node;
  const parsed = parseRouterProperties(node.document.properties);
  if (!parsed.ok) throw new Error(`Router ${node.node_id} is stored with bad properties`);
  return { type: "router", name, mac: macOf(routerKind.macs, index), ...parsed.config };
}

export function toLabNode(node: NodeItem): LabNode {
  const spec = specOf(node);
  const wires = new Map<number, Wire>();
  for (const [port, end] of Object.entries(node.links)) {
    const [adapter, number] = port.split("_").map(Number);
    if (adapter === 0) wires.set(number!, { linkId: end!.link_id, peerId: end!.peer_id });
  }
  const status = spec ? node.status : "stopped";
  return { id: node.node_id, name: node.name, status, spec, state: node.state, wires };
}

/** @param nameOf returns the name of a node at an end of the link. */
export function toLabLink(link: LinkItem, nameOf: (nodeId: string) => string): LabLink {
  const { nodes, filters, suspend, impairments } = link.document;
  const ends = nodes.map((end) => ({ nodeId: end.node_id, port: end.port_number }));
  return {
    id: link.link_id,
    streamName: streamNameOf(nodes, nameOf),
    ends,
    filters: compileFilters(filters),
    suspended: suspend,
    ...(impairments && { impairments: compileImpairments(impairments) }),
    state: link.state,
    ...(link.capture ? { tap: tapOf(link.capture) } : {}),
  };
}

/** @throws ApiError when the stored settings are no longer valid. */
function compileFilters(filters: Record<string, unknown>): LinkFilters {
  const parsed = parseFilterSettings(filters, { compileBpf: compileFilter });
  if (parsed.ok) return parsed;
  throw failure("request.invalid", { detail: parsed.problems[0]!.message });
}
