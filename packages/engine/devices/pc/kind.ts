import type { NodeKind } from "../node-kind.ts";

/** A PC has a MAC address as VPCS has: `00:50:79:66:68:NN`; after the 256th PC, the byte before counts up. */
export const pcKind = {
  type: "vpcs",
  labType: "pc",
  word: "PC",
  symbol: ":/symbols/vpcs_guest.svg",
  console: "telnet",
  processingNs: 100_000,
  macs: { base: 0x0050_7966_6800, perNode: 1 },
  template: {
    id: "19021f99-e36f-394d-b4a1-8aaa902ab9cc",
    name: "VPCS",
    category: "guest",
    nameFormat: "PC{0}",
  },
} as const satisfies NodeKind;
