import type { NodeKind } from "../node-kind.ts";

export const natKind = {
  type: "nat",
  labType: "nat",
  word: "NAT node",
  symbol: ":/symbols/nat.svg",
  console: null,
  processingNs: 50_000,
  macs: { base: 0x0257_4e00_0000, perNode: 1 },
  padsFrames: true,
  startsWhenCreated: true,
  isSingle: true,
  template: {
    id: "df8f4ea9-33b7-3e96-86a2-c39bc9bb649c",
    name: "NAT",
    category: "guest",
    nameFormat: "NAT{0}",
  },
} as const satisfies NodeKind;
