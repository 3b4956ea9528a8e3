/**
 * Recordings of configured guests in the user's cache folder: `configured/<image>/<opening>-<first request>`. Both parts are digests: of all that
 * a guest is opened with, and of what it is asked first, which is its configuration. The folder is bounded; what was not used for the longest time
 * goes first. Whatever fails here costs only the time that a recording saves.
 */
import { createHash } from "node:crypto";
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { EMULATOR } from "../machine/emulator.ts";
import type { Recordings } from "./configured-channel.ts";
import type { AdvanceRequest, OpenRequest } from "./protocol.ts";
import { decodeRecording, encodeRecording, type Recording } from "./recording.ts";

/** The form of the files. */
const FORM = 2;
const MOST_FILES = 256;
const MOST_BYTES = 256 << 20;
const DIGEST_CHARACTERS = 32;

const digestOf = (value: unknown): string =>
  createHash("sha256").update(JSON.stringify(value)).digest("hex").slice(0, DIGEST_CHARACTERS);

interface Image {
  readonly name: string;
  readonly digest: string;
}

/** @param folder of all recordings. */
export function openRecordings(folder: string, image: Image, open: OpenRequest): Recordings {
  const own = join(folder, image.name);
  const { seed, epochMs, nowNs, memoryMiB } = open;
  const opening = digestOf([FORM, EMULATOR, image.digest, seed, epochMs, nowNs, memoryMiB]);
  const pathOf = (first: AdvanceRequest) => join(own, `${opening}-${digestOf(asJson(first))}`);
  return {
    areThere: namesIn(own).some((name) => name.startsWith(`${opening}-`)),
    find: (first) => attempt(() => readRecording(pathOf(first))),
    store: (recording) =>
      void attempt(() => {
        mkdirSync(own, { recursive: true });
        writeWhole(pathOf(recording.requests[0]!), encodeRecording(recording));
        removeOldest(folder);
      }),
  };
}

/** Removes the recordings of an image. */
export const removeRecordings = (folder: string, image: string): void =>
  rmSync(join(folder, image), { recursive: true, force: true });

const asJson = ({ toNs, inputs }: AdvanceRequest): unknown => [
  toNs,
  inputs.map(({ kind, port, data }) => [kind, port, Buffer.from(data).toString("base64")]),
];

function readRecording(path: string): Recording | undefined {
  const recording = decodeRecording(readFileSync(path));
  const now = new Date();
  // The order in which files are removed.
  utimesSync(path, now, now);
  return recording;
}

/** Another process never reads half a file. */
function writeWhole(path: string, bytes: Uint8Array): void {
  const unfinished = `${path}.${process.pid}`;
  writeFileSync(unfinished, bytes);
  renameSync(unfinished, path);
}

/** @param most files and bytes that stay. */
export function removeOldest(folder: string, most = { files: MOST_FILES, bytes: MOST_BYTES }): void {
  const files = namesIn(folder)
    .flatMap((image) => namesIn(join(folder, image)).map((name) => join(folder, image, name)))
    .flatMap((path) => attempt(() => ({ path, ...pick(statSync(path)) })) ?? [])
    .toSorted((a, b) => b.mtimeMs - a.mtimeMs);
  let bytes = 0;
  for (const [at, { path, size }] of files.entries()) {
    bytes += size;
    if (at >= most.files || bytes > most.bytes) rmSync(path, { force: true });
  }
}

const pick = ({ size, mtimeMs }: { readonly size: number; readonly mtimeMs: number }) => ({ size, mtimeMs });

const namesIn = (folder: string): string[] => attempt(() => readdirSync(folder)) ?? [];

/** The cache folder may be missing, full, not writable, or changed by another process meanwhile. */
function attempt<T>(call: () => T): T | undefined {
  try {
    return call();
  } catch {
    return undefined;
  }
}
