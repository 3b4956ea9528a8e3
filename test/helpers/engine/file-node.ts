/** Linux nodes that have files and no guest. */
import type { Device, ReadFile, World } from "@wirelab/engine/devices/device";
import type { LinuxSpec } from "@wirelab/engine/devices/linux/spec";
import type { Guests } from "@wirelab/lab/read/guests";

/** Bytes of a file; a node does not answer for a file that is `silent`. */
export type FileOf = (node: string, path: string) => ReadFile | "silent";

const ANSWER_US = 1_000;

export const guestsWithFiles = (fileOf: FileOf): Guests => ({
  problemOf: () => undefined,
  makeDevice: (spec, world) => makeDevice(spec, world, fileOf),
});

/** A node with the command `sleep` is never done with its start. */
const makeDevice = ({ name, commands }: LinuxSpec, world: World, fileOf: FileOf): Device => ({
  processingNs: 0,
  forwards: false,
  console: undefined,
  start() {},
  resume() {},
  receive() {},
  isStarting: commands.includes("sleep"),
  readFile(path, maxBytes, call) {
    const file = fileOf(name, path);
    if (file === "silent") wait(world);
    else {
      const isLarge = file.kind === "content" && file.data.length > maxBytes;
      const answer = isLarge ? ({ kind: "large", bytes: file.data.length } as const) : file;
      world.after(ANSWER_US, () => call(answer), "foreground");
    }
  },
  saveState: () => ({ name }),
});

function wait(world: World): void {
  world.after(1_000_000, () => wait(world), "foreground");
}
