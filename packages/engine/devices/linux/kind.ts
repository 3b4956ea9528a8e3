import type { NodeKind } from "../node-kind.ts";

/** The guest itself takes time to process a frame. */
export const linuxKind = {
  type: "linux",
  labType: "linux",
  word: "Linux node",
  symbol: ":/symbols/docker_guest.svg",
  console: "telnet",
  processingNs: 1_000,
  macs: { base: 0x0257_4c80_0000, perNode: 64 },
  isGuest: true,
  image: "wirelab/linux",
  template: {
    id: "5d763b81-f5ae-3719-9a92-c430d1b612fc",
    name: "Linux",
    category: "guest",
    nameFormat: "Linux{0}",
    adapters: 4,
  },
} as const satisfies NodeKind;
