/** What a node is made of: its properties and its ports. */
import type { Port } from "../api/schemas/node.ts";

export type Properties = Record<string, unknown>;

/** What a node's properties are, the defaults among them, and the ports that they make. */
export interface Hardware {
  readonly properties: Properties;
  readonly ports: Port[];
}

export const ethernetPort = (name: string, index: number): Port => ({
  adapter_number: 0,
  data_link_types: { Ethernet: "DLT_EN10MB" },
  link_type: "ethernet",
  name,
  port_number: index,
  short_name: `e${index}`,
});
