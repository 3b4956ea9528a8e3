/** Reads a zip archive that a client sends. */
import { crc32 } from "node:zlib";
import {
  type ZipEntry as Entry,
  MAX_UNPACKED_BYTES,
  readZip as readEntries,
} from "@wirelab/lab/zip/read-zip";
import { failureOf } from "../shared/edge/errors.ts";
import { IMPORT_ERRORS } from "../shared/edge/own-errors/import.ts";
import { METHOD_NAMES, unpackerOf } from "./zip-methods.ts";

export const MAX_ENTRIES = 5_000;

export interface ZipEntry extends Entry {
  /** @throws ApiError `project.import-refused` when the bytes are not those that the directory announces. */
  readonly read: () => Buffer;
}

/** @throws ApiError `project.import-refused` */
export const refuseImport = (detail: string): Error =>
  failureOf(IMPORT_ERRORS, "project.import-refused", { detail });

/**
 * Returns the files of an archive by name; folders are left out.
 * @param maxBytes the most that its entries may have together; those in the archives of snapshots may have as many again.
 * @throws ApiError `project.import-refused` for bytes that are no such archive, and for an archive over a limit.
 */
export function readZip(bytes: Buffer, maxBytes = MAX_UNPACKED_BYTES): ReadonlyMap<string, ZipEntry> {
  const entries = readEntries(bytes, {
    refuse: refuseImport,
    unpackerOf,
    methodNames: METHOD_NAMES,
    crc32,
    maxBytes,
    maxEntries: MAX_ENTRIES,
  });
  return new Map(
    [...entries].map(([name, entry]) => [name, { ...entry, read: () => bufferOf(entry.read()) }] as const),
  );
}

const bufferOf = ({ buffer, byteOffset, length }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, length);

export const unpackedBytesOf = (entries: ReadonlyMap<string, ZipEntry>): number =>
  entries.values().reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
