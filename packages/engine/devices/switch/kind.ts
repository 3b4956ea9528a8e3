import type { NodeKind } from "../node-kind.ts";

export const switchKind = {
  type: "ethernet_switch",
  labType: "switch",
  word: "switch",
  symbol: ":/symbols/ethernet_switch.svg",
  console: "none",
  processingNs: 10_000,
  padsFrames: true,
  startsWhenCreated: true,
  template: {
    id: "1966b864-93e7-32d5-965f-001384eec461",
    name: "Ethernet switch",
    category: "switch",
    nameFormat: "Switch{0}",
  },
} as const satisfies NodeKind;
