/** A node type in one module: a repeater, which sends each frame out of its other port. */
import type { Device, World } from "@wirelab/engine/devices/device";
import type { NodeKind } from "@wirelab/engine/devices/node-kind";
import type { NodeReader } from "@wirelab/engine/devices/node-reader";

interface ToySpec {
  readonly type: "toy";
  readonly name: string;
  readonly delayed: boolean;
}

export const kind = {
  type: "toy",
  labType: "repeater",
  word: "repeater",
  symbol: ":/symbols/hub.svg",
  console: null,
  processingNs: 2_000,
  template: {
    id: "00000000-0000-3000-8000-000000000001",
    name: "Repeater",
    category: "switch",
    nameFormat: "Repeater{0}",
  },
} as const satisfies NodeKind;

export const read: NodeReader<ToySpec> = ({ delayed = false, ...others }, { name }) => {
  const problems = [
    ...(typeof delayed === "boolean" ? [] : [{ path: ["delayed"], message: "must be true or false" }]),
    ...Object.keys(others).map((key) => ({ path: [key], message: "is not a known property" })),
  ];
  if (problems.length > 0) return { ok: false, problems };
  return {
    ok: true,
    spec: { type: "toy", name, delayed: delayed === true },
    ports: ["left", "right"],
    addresses: [],
  };
};

export const make = (_spec: ToySpec, world: World): Device => ({
  processingNs: kind.processingNs,
  forwards: true,
  console: undefined,
  start() {},
  resume() {},
  receive: (port: number, frame: Uint8Array) => world.send(1 - port, frame),
  saveState: () => null,
});
