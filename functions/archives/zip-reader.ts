/**
 * Reads a zip archive that a client sends. Nothing is written to a file system, and what would only matter there is refused: names that
 * leave the archive, links, two entries of one name. The sizes in the directory bound what is inflated.
 * Source: APPNOTE.TXT 6.3.10 of PKWARE, sections 4.3 (records) and 4.4 (fields).
 */
import { crc32 } from "node:zlib";
import { failureOf } from "../shared/edge/errors.ts";
import { IMPORT_ERRORS } from "../shared/edge/own-errors/import.ts";
import { METHOD_NAMES, unpackerOf } from "./zip-methods.ts";

export const MAX_ENTRIES = 5_000;
/** All entries together; those in the archives of snapshots may have as many again. */
export const MAX_UNPACKED_BYTES = 64 * 1024 * 1024;

const END_SIGNATURE = 0x0605_4b50;
const END_BYTES = 22;
const COMMENT_MAX_BYTES = 65_535;
const ENTRY_SIGNATURE = 0x0201_4b50;
const ENTRY_BYTES = 46;
const LOCAL_SIGNATURE = 0x0403_4b50;
const LOCAL_BYTES = 30;

const ENCRYPTED = 0x0001;
const UTF8_NAME = 0x0800;
/** The type of a file in the upper half of the external attributes, as Unix has it. */
const TYPE_MASK = 0o170000;
const SYMBOLIC_LINK = 0o120000;
/** Stands in fields of 4 bytes for a value that the ZIP64 extension has. */
const IN_ZIP64 = 0xffff_ffff;

export interface ZipEntry {
  readonly name: string;
  readonly sizeBytes: number;
  /** @throws ApiError `project.import-refused` when the bytes are not those that the directory announces. */
  readonly read: () => Buffer;
}

const INVALID = "not a GNS3 project (invalid zip)";

/** @throws ApiError `project.import-refused` */
export const refuseImport = (detail: string): Error =>
  failureOf(IMPORT_ERRORS, "project.import-refused", { detail });

/**
 * Returns the files of an archive by name; folders are left out.
 * @param maxBytes the most that its entries may have together.
 * @throws ApiError `project.import-refused` for bytes that are no such archive, and for an archive over a limit.
 */
export function readZip(bytes: Buffer, maxBytes = MAX_UNPACKED_BYTES): ReadonlyMap<string, ZipEntry> {
  const { count, offset } = readEnd(bytes);
  if (count > MAX_ENTRIES) throw refuseImport(`it has ${count} entries, and the limit is ${MAX_ENTRIES}`);
  const entries = new Map<string, ZipEntry>();
  let unpackedBytes = 0;
  let at = offset;
  for (let number = 0; number < count; number++) {
    if (at + ENTRY_BYTES > bytes.length || bytes.readUInt32LE(at) !== ENTRY_SIGNATURE)
      throw refuseImport(INVALID);
    const lengths = [28, 30, 32].map((field) => bytes.readUInt16LE(at + field));
    const entry = readEntry(bytes, at, lengths[0]!);
    at += ENTRY_BYTES + lengths.reduce((sum, length) => sum + length, 0);
    unpackedBytes += entry.sizeBytes;
    if (unpackedBytes > maxBytes)
      throw refuseImport(`its entries have more than ${MAX_UNPACKED_BYTES} bytes`);
    if (entry.name.endsWith("/")) continue;
    if (entries.has(entry.name)) throw refuseImport(`it has two entries with the name ${shown(entry.name)}`);
    entries.set(entry.name, entry);
  }
  return entries;
}

export const unpackedBytesOf = (entries: ReadonlyMap<string, ZipEntry>): number =>
  entries.values().reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);

/** Finds the record at the end, which a comment may follow. */
function readEnd(bytes: Buffer): { count: number; offset: number } {
  const first = Math.max(0, bytes.length - END_BYTES - COMMENT_MAX_BYTES);
  for (let at = bytes.length - END_BYTES; at >= first; at--) {
    if (bytes.readUInt32LE(at) !== END_SIGNATURE) continue;
    if (at + END_BYTES + bytes.readUInt16LE(at + 20) !== bytes.length) continue;
    const count = bytes.readUInt16LE(at + 10);
    const [size, offset] = [bytes.readUInt32LE(at + 12), bytes.readUInt32LE(at + 16)];
    // An archive of ZIP64 is larger than an upload may be, or in parts.
    if (count !== bytes.readUInt16LE(at + 8) || offset + size > at) throw refuseImport(INVALID);
    return { count, offset };
  }
  throw refuseImport(INVALID);
}

function readEntry(bytes: Buffer, at: number, nameLength: number): ZipEntry {
  const flags = bytes.readUInt16LE(at + 8);
  const method = bytes.readUInt16LE(at + 10);
  const crc = bytes.readUInt32LE(at + 16);
  const packedBytes = bytes.readUInt32LE(at + 20);
  const sizeBytes = bytes.readUInt32LE(at + 24);
  const attributes = bytes.readUInt32LE(at + 38);
  const offset = bytes.readUInt32LE(at + 42);
  const nameEnd = at + ENTRY_BYTES + nameLength;
  if (nameEnd > bytes.length || [packedBytes, sizeBytes, offset].includes(IN_ZIP64))
    throw refuseImport(INVALID);
  const name = decodeName(bytes.subarray(at + ENTRY_BYTES, nameEnd), (flags & UTF8_NAME) !== 0);
  refuseEscape(name);
  if (flags & ENCRYPTED) throw refuseImport(`its entry ${shown(name)} is encrypted`);
  if (((attributes >>> 16) & TYPE_MASK) === SYMBOLIC_LINK)
    throw refuseImport(`its entry ${shown(name)} is a symbolic link`);
  const unpack = unpackerOf(method);
  if (unpack === undefined)
    throw refuseImport(
      `its entry ${shown(name)} has compression method ${method}; what is read: ${METHOD_NAMES}`,
    );
  const read = (): Buffer => {
    const packed = packedAt(bytes, offset, packedBytes);
    let unpacked: Uint8Array;
    try {
      unpacked = unpack(packed, sizeBytes);
    } catch {
      throw refuseImport(`its entry ${shown(name)} is damaged`);
    }
    if (unpacked.length !== sizeBytes || crc32(unpacked) !== crc)
      throw refuseImport(`its entry ${shown(name)} is damaged`);
    return Buffer.from(unpacked.buffer, unpacked.byteOffset, unpacked.length);
  };
  return { name, sizeBytes, read };
}

function packedAt(bytes: Buffer, offset: number, packedBytes: number): Buffer {
  if (offset + LOCAL_BYTES > bytes.length || bytes.readUInt32LE(offset) !== LOCAL_SIGNATURE)
    throw refuseImport(INVALID);
  const start = offset + LOCAL_BYTES + bytes.readUInt16LE(offset + 26) + bytes.readUInt16LE(offset + 28);
  if (start + packedBytes > bytes.length) throw refuseImport(INVALID);
  return bytes.subarray(start, start + packedBytes);
}

/** Without the flag, programs write names of ASCII, or of an encoding that the archive does not name. */
function decodeName(bytes: Buffer, isUtf8: boolean): string {
  try {
    const name = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    return name.replaceAll("\\", "/");
  } catch {
    if (isUtf8) throw refuseImport(INVALID);
    return bytes.toString("latin1").replaceAll("\\", "/");
  }
}

function refuseEscape(name: string): void {
  const segments = name.replace(/\/$/, "").split("/");
  const leaves = segments.some((segment) => segment === "" || segment === "." || segment === "..");
  if (leaves || /^[a-z]:/i.test(name))
    throw refuseImport(`its entry ${shown(name)} has a path outside of the project`);
}

const NAME_SHOWN = 100;

/** A name without control characters, of a bounded length. */
const shown = (name: string): string =>
  JSON.stringify(name.length > NAME_SHOWN ? `${name.slice(0, NAME_SHOWN)}…` : name);
