/**
 * The hardware of a placeholder: a node of an imported project that needs a compute, with the properties that its own program has
 * written. They are kept as they are, so that an export is what was imported.
 */
import { portsOf } from "../compute/ports.ts";
import type { Port } from "../schemas/node.ts";
import type { NodeDocument } from "../store/lab/node.ts";
import type { Hardware, Properties } from "./hardware.ts";

type Described = Parameters<typeof portsOf>[0];

/** The end of a link, at a port that the properties need not name. */
export interface UsedPort {
  readonly adapter_number: number;
  readonly port_number: number;
}

const isAt =
  ({ adapter_number, port_number }: UsedPort) =>
  (port: Port): boolean =>
    port.adapter_number === adapter_number && port.port_number === port_number;

/** @param used ports that exist because links are on them, whatever the properties say. */
export function makePlaceholder(node: Described, used: readonly UsedPort[]): Hardware {
  const ports = portsOf(node);
  const missing = used.filter((end) => !ports.some(isAt(end)));
  return { properties: node.properties, ports: [...ports, ...missing.map(portAt)] };
}

const portAt = ({ adapter_number, port_number }: UsedPort): Port => ({
  adapter_number,
  data_link_types: { Ethernet: "DLT_EN10MB" },
  link_type: "ethernet",
  name: `Ethernet${adapter_number}/${port_number}`,
  port_number,
  short_name: `e${adapter_number}/${port_number}`,
});

/** @param given replaces the named properties. */
export const changePlaceholder = (before: NodeDocument, given: Properties): Hardware =>
  makePlaceholder({ ...before, properties: { ...before.properties, ...given } }, before.ports);
