/** What ports carry. */
import type { Port } from "../schemas/node.ts";

export const ETHERNET = {
  data_link_types: { Ethernet: "DLT_EN10MB" },
  link_type: "ethernet",
} satisfies Partial<Port>;

export const SERIAL = {
  data_link_types: {
    "Frame Relay": "DLT_FRELAY",
    "Cisco HDLC": "DLT_C_HDLC",
    "Cisco PPP": "DLT_PPP_SERIAL",
  },
  link_type: "serial",
} satisfies Partial<Port>;
