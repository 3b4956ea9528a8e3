/** Converts the store's nodes and links to the engine's. */
import { kindOf } from "@wirelab/engine/devices/find-kind";
import type { DeviceType } from "@wirelab/engine/devices/kinds";
import type { LinuxSpec } from "@wirelab/engine/devices/linux/spec";
import { type DeviceSpec, READERS, type SpecOfType } from "@wirelab/engine/devices/readers";
import { compileFilters } from "@wirelab/engine/link/filters/compile";
import type { LabLink, LabNode, LinkFilters, Wire } from "@wirelab/engine/simulation/lab";
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
  const kind = kindOf(node.document.node_type);
  if (isOnCompute(node) || kind === undefined || kind.isRecord) return undefined;
  const spec: DeviceSpec = specOfType(node, kind.type);
  return spec.type === "linux" ? withGuest(spec) : spec;
}

/** @param type the type of the node. */
export function specOfType<T extends DeviceType>(node: NodeItem, type: T): SpecOfType<T> {
  const { name, index = 0, links, document } = node;
  const isWired = (port: number): boolean => links[portKey(0, port)] !== undefined;
  const read = READERS[type](document.properties, { name, index, isWired });
  if (read.ok) return read.spec;
  throw new Error(`The ${kindOf(type).word} ${node.node_id} is stored with bad properties`);
}

/** Adds what the service alone knows: the name of the image, and what runs guests. */
const withGuest = (spec: LinuxSpec): LinuxSpec => ({
  ...spec,
  hostname: spec.hostname ?? hostnameOf(spec.name),
  image: linuxImageOf(spec.image) ?? spec.image,
  makeDevice(own, world, state) {
    const guests = currentGuests();
    if (guests === undefined) throw failureOf(GUEST_ERRORS, "node.needs-guests", { name: own.name });
    return guests.makeDevice(own, world, state);
  },
});

/** A node's name may have characters that the name of a host has not (RFC 1123). */
const hostnameOf = (name: string): string =>
  name
    .replaceAll(/[^A-Za-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "")
    .slice(0, HOSTNAME_CHARACTERS) || "linux";

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
    filters: storedFilters(filters),
    suspended: suspend,
    ...(impairments && { impairments: compileImpairments(impairments) }),
    state: link.state,
    ...(link.capture ? { tap: tapOf(link.capture) } : {}),
  };
}

/** @throws ApiError when the stored settings are no longer valid. */
function storedFilters(filters: Record<string, unknown>): LinkFilters {
  const parsed = compileFilters(filters);
  if (parsed.ok) return parsed;
  throw failure("request.invalid", { detail: parsed.problems[0]!.message });
}
