/** A node's hardware: its properties and its ports. */
import type { Port } from "../schemas/node.ts";

export type Properties = Record<string, unknown>;

/** A node's properties, defaults included, and the ports that they define. */
export interface Hardware {
  readonly properties: Properties;
  readonly ports: Port[];
  /** Settings of a router that only clients use; absent for other types. */
  readonly container?: Properties;
}

export const withoutNulls = (all: Properties): Properties =>
  Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null));

export const ethernetPort = (name: string, index: number): Port => ({
  adapter_number: 0,
  data_link_types: { Ethernet: "DLT_EN10MB" },
  link_type: "ethernet",
  name,
  port_number: index,
  short_name: `e${index}`,
});
