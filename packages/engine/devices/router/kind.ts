import type { NodeKind } from "../node-kind.ts";

export const routerKind = {
  type: "router",
  labType: "router",
  word: "router",
  symbol: ":/symbols/router.svg",
  console: "telnet",
  processingNs: 50_000,
  macs: { base: 0x0257_4c00_0000, perNode: 256 },
  padsFrames: true,
  image: "wirelab/router",
  template: {
    id: "ab58dfff-bba1-32df-a9c8-c7320e71f706",
    name: "Router",
    category: "router",
    nameFormat: "R{0}",
    adapters: 4,
  },
} as const satisfies NodeKind;
