import type { NodeKind } from "../node-kind.ts";

/** A frame has left the lab when it arrives at a cloud, which takes no time. */
export const cloudKind = {
  type: "cloud",
  labType: "cloud",
  word: "cloud",
  symbol: ":/symbols/cloud.svg",
  console: null,
  processingNs: 0,
  isRecord: true,
  isSingle: true,
  template: {
    id: "39e257dc-8412-3174-b6b3-0ee3ed6a43e9",
    name: "Cloud",
    category: "guest",
    nameFormat: "Cloud{0}",
  },
} as const satisfies NodeKind;
