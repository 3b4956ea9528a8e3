/** An image on disk: a folder with `image.json` and the files that it names. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { zstdDecompressSync } from "node:zlib";
import type { KernelPlaces } from "../machine/kernel-timers.ts";
import { ImageError } from "./image-error.ts";

/** Nodes start from images of this builder only: they use what it puts into an image. */
export const BUILDER = 3;

export interface ImageFacts {
  readonly name: string;
  readonly builder: number;
  /** SHA-256 of all that the image is made of: packages, recipe, builder. Equal images have the same. */
  readonly digest: string;
  readonly memoryMiB: number;
  /** The guest's clock in its state. */
  readonly nowNs: number;
  /** The date of the clock's zero: milliseconds since 1970. */
  readonly epochMs: number;
  /** Where the kernel has its timers; absent if they are not found. */
  readonly places?: KernelPlaces;
  /** Shell commands of a node, after its files are written. */
  readonly configure: readonly string[];
  readonly packages: readonly { readonly name: string; readonly version: string }[];
}

export interface ImageFiles {
  readonly bios: Uint8Array;
  readonly vgaBios: Uint8Array;
  /** zstd of the machine's state. */
  readonly state: Uint8Array;
}

const FACTS = "image.json";
const NAMES = { bios: "bios.bin", vgaBios: "vgabios.bin", state: "state.zst" } as const;

/** The folder of images and downloads: `WIRELAB_CACHE`, else `wirelab` in the user's cache folder. */
export const cacheFolder = (env: NodeJS.ProcessEnv): string =>
  env.WIRELAB_CACHE ?? join(env.XDG_CACHE_HOME ?? join(homedir(), ".cache"), "wirelab");

/** The folder of guests that were configured before. */
export const configuredFolder = (cache: string): string => join(cache, "configured");

/** Another version of Wirelab, whose builder is another one, has its images beside. */
export const imagesFolder = (cache: string): string => join(cache, `images-${BUILDER}`);

export interface Image extends ImageFacts {
  readonly bios: Uint8Array;
  readonly vgaBios: Uint8Array;
  /** The machine's state, in memory that threads share. */
  readonly state: Uint8Array;
}

/** @throws ImageError if there is no such image. */
export function readImage(folder: string, name: string): Image {
  const facts = readFacts(folder, name);
  if (facts === undefined)
    throw new ImageError(`there is no image ${name}; build it with: wirelab image build ${name}`);
  const { bios, vgaBios, state: compressed } = readImageFiles(folder, name);
  const state = zstdDecompressSync(compressed);
  const shared = new Uint8Array(new SharedArrayBuffer(state.length));
  shared.set(state);
  return { ...facts, bios, vgaBios, state: shared };
}

/** The files of an image that there is. */
export function readImageFiles(folder: string, name: string): ImageFiles {
  const read = (file: string) => readFileSync(join(folder, name, file));
  return { bios: read(NAMES.bios), vgaBios: read(NAMES.vgaBios), state: read(NAMES.state) };
}

export function readFacts(folder: string, name: string): ImageFacts | undefined {
  const path = join(folder, name, FACTS);
  return existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as ImageFacts) : undefined;
}

export const listImages = (folder: string): ImageFacts[] =>
  existsSync(folder)
    ? readdirSync(folder)
        .toSorted()
        .flatMap((name) => readFacts(folder, name) ?? [])
    : [];

/** Replaces an image of the same name. A process that dies meanwhile leaves the old one. */
export function writeImage(folder: string, facts: ImageFacts, files: ImageFiles): void {
  mkdirSync(folder, { recursive: true });
  const unfinished = mkdtempSync(join(folder, ".unfinished-"));
  for (const key of ["bios", "vgaBios", "state"] as const)
    writeFileSync(join(unfinished, NAMES[key]), files[key]);
  writeFileSync(join(unfinished, FACTS), `${JSON.stringify(facts, null, 2)}\n`);
  rmSync(join(folder, facts.name), { recursive: true, force: true });
  renameSync(unfinished, join(folder, facts.name));
}

/** @throws ImageError if there is no such image. */
export function removeImage(folder: string, name: string): void {
  if (readFacts(folder, name) === undefined) throw new ImageError(`there is no image ${name}`);
  rmSync(join(folder, name), { recursive: true, force: true });
}
