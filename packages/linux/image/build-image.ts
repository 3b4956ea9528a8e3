/** Builds an image: fetches Debian's packages, makes the initramfs, boots it in virtual time, and saves the machine's state. */
import { createHash } from "node:crypto";
import { zstdCompressSync } from "node:zlib";
import { RandomStream } from "@wirelab/engine/base/random";
import type { KernelPlaces } from "../machine/kernel-timers.ts";
import { locateKernel } from "../machine/locate-kernel.ts";
import { Machine } from "../machine/machine.ts";
import { Archive } from "./archive.ts";
import { refuseIncomplete } from "./boot-output.ts";
import { Cache } from "./cache.ts";
import { writeCpio } from "./cpio.ts";
import { BUILDER, type ImageFacts, imagesFolder, readFacts, writeImage } from "./image.ts";
import { ImageError } from "./image-error.ts";
import { makeInit, READY } from "./init.ts";
import { makeRoot, type Root } from "./make-root.ts";
import type { Recipe } from "./recipe.ts";

const COMMAND_LINE = "console=ttyS0 quiet tsc=reliable mitigations=off random.trust_cpu=on";
const EPOCH_MS = Date.UTC(2026, 0, 1);
const BOOT_SECONDS = 300;
const NS_PER_SECOND = 1_000_000_000;
const SEED = [1, 2, 3, 4] as const;

export interface BuildOptions {
  /** The folder of images and downloads. */
  readonly cache: string;
  readonly mirror: string;
  /** Reports progress: what is done now, and the share of it, from 0 to 1. */
  readonly report: (step: string, share: number) => void;
}

/**
 * @returns the image, which exists already if its packages and recipe have not changed.
 * @throws ImageError if a package cannot be fetched or the guest does not start.
 */
export async function buildImage(
  recipe: Recipe,
  { cache, mirror, report }: BuildOptions,
): Promise<ImageFacts> {
  report("packages", 0);
  const archive = await Archive.open(mirror, new Cache(`${cache}/downloads`));
  const root = await makeRoot(archive, recipe, (name, index, count) => report(name, index / count));
  const digest = digestOf(root, recipe);
  const folder = imagesFolder(cache);
  const existing = readFacts(folder, recipe.name);
  if (existing?.digest === digest) return existing;
  const { state, nowNs, places } = await boot(root, recipe, (share) => report("boot", share));
  const facts: ImageFacts = {
    name: recipe.name,
    builder: BUILDER,
    digest,
    memoryMiB: recipe.memory,
    nowNs,
    epochMs: EPOCH_MS,
    ...(places && { places }),
    configure: recipe.configure,
    packages: root.packages.map(({ name, version }) => ({ name, version })),
  };
  writeImage(folder, facts, { bios: root.bios, vgaBios: root.vgaBios, state: zstdCompressSync(state) });
  return facts;
}

const digestOf = ({ packages }: Root, recipe: Recipe): string =>
  createHash("sha256")
    .update(
      JSON.stringify({
        builder: BUILDER,
        recipe,
        packages,
        commandLine: COMMAND_LINE,
        init: makeInit([], recipe),
      }),
    )
    .digest("hex");

async function boot(
  root: Root,
  { memory: memoryMiB }: Recipe,
  report: (share: number) => void,
): Promise<{ state: Uint8Array; nowNs: number; places: KernelPlaces | undefined }> {
  const random = new RandomStream(SEED);
  const printed: [string, string] = ["", ""];
  const machine = await Machine.create(
    {
      memoryMiB,
      bios: root.bios,
      vgaBios: root.vgaBios,
      kernel: { image: root.kernel, initrd: writeCpio(root.initrd), commandLine: COMMAND_LINE },
      startNs: 0,
      epochMs: EPOCH_MS,
      random: () => random.nextUint32(),
    },
    {
      frame: () => {},
      serial(port, byte) {
        printed[port === 0 ? 0 : 1] += String.fromCharCode(byte);
      },
    },
  );
  const limitNs = BOOT_SECONDS * NS_PER_SECOND;
  const runSlice = () => {
    machine.waitUntil(machine.wakeNs);
    machine.run();
  };
  while (!printed[1].includes(READY)) {
    if (machine.wakeNs > limitNs)
      throw new ImageError(
        `the guest was not ready after ${BOOT_SECONDS} s of its time: ${printed[0].slice(-500)}`,
      );
    runSlice();
    report(machine.nowNs / limitNs);
  }
  refuseIncomplete(printed[0], memoryMiB);
  const places = locateKernel(machine.memory, runSlice);
  return { state: await machine.saveState(), nowNs: machine.nowNs, places };
}
