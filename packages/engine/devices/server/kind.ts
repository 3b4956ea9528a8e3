import type { NodeKind } from "../node-kind.ts";

export const serverKind = {
  type: "server",
  labType: "server",
  word: "server",
  symbol: ":/symbols/server.svg",
  console: "telnet",
  processingNs: 50_000,
  macs: { base: 0x0257_5300_0000, perNode: 1 },
  padsFrames: true,
  image: "wirelab/server",
  template: {
    id: "45b4efe9-ad20-34f7-8516-68ba76af022f",
    name: "Server",
    category: "guest",
    nameFormat: "Server{0}",
    adapters: 1,
  },
} as const satisfies NodeKind;
