import type { NodeKind } from "../node-kind.ts";

export const hubKind = {
  type: "ethernet_hub",
  labType: "hub",
  word: "hub",
  symbol: ":/symbols/hub.svg",
  console: null,
  processingNs: 1_000,
  startsWhenCreated: true,
  template: {
    id: "b4503ea9-d6b6-3695-9fe4-1db3b39290b0",
    name: "Ethernet hub",
    category: "switch",
    nameFormat: "Hub{0}",
  },
} as const satisfies NodeKind;
