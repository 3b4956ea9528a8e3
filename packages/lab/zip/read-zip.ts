/**
 * Reads a zip archive from its bytes. Nothing is written to a file system, and what would only matter there is refused: names that
 * leave the archive, links, two entries of one name. The sizes in the directory bound what is inflated.
 * Source: APPNOTE.TXT 6.3.10 of PKWARE, sections 4.3 (records) and 4.4 (fields).
 */

/** All entries together. */
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
  /** @throws what `refuse` makes when the bytes are not those that the directory announces. */
  readonly read: () => Uint8Array;
}

/** @throws an error of any kind for bytes that are not compressed so. */
export type Unpack = (packed: Uint8Array, sizeBytes: number) => Uint8Array;

export interface ZipOptions {
  /** Makes the error of an archive that is not read. */
  readonly refuse: (detail: string) => Error;
  /** By the method's number in APPNOTE.TXT, section 4.4.5. */
  readonly unpackerOf: (method: number) => Unpack | undefined;
  /** The methods that `unpackerOf` has, for messages. */
  readonly methodNames: string;
  readonly crc32: (bytes: Uint8Array) => number;
  readonly maxBytes?: number;
  readonly maxEntries?: number;
  /** Other entries are left out, whatever they are. */
  readonly isWanted?: (name: string) => boolean;
}

const INVALID = "not a GNS3 project (invalid zip)";

/**
 * Returns the files of an archive by name; folders are left out.
 * @throws what `refuse` makes for bytes that are no such archive, and for an archive over a limit.
 */
export function readZip(bytes: Uint8Array, options: ZipOptions): ReadonlyMap<string, ZipEntry> {
  const { refuse, maxBytes = MAX_UNPACKED_BYTES, maxEntries, isWanted } = options;
  const view = viewOf(bytes);
  const { count, offset } = readEnd(view, refuse);
  if (maxEntries !== undefined && count > maxEntries)
    throw refuse(`it has ${count} entries, and the limit is ${maxEntries}`);
  const entries = new Map<string, ZipEntry>();
  let unpackedBytes = 0;
  let at = offset;
  for (let number = 0; number < count; number++) {
    if (at + ENTRY_BYTES > bytes.length || view.getUint32(at, true) !== ENTRY_SIGNATURE)
      throw refuse(INVALID);
    const lengths = [28, 30, 32].map((field) => view.getUint16(at + field, true));
    const name = readName(bytes, at, lengths[0]!, refuse);
    const start = at;
    at += ENTRY_BYTES + lengths.reduce((sum, length) => sum + length, 0);
    if (isWanted?.(name) === false) continue;
    const entry = readEntry(bytes, start, name, options);
    unpackedBytes += entry.sizeBytes;
    if (unpackedBytes > maxBytes) throw refuse(`its entries have more than ${MAX_UNPACKED_BYTES} bytes`);
    if (name.endsWith("/")) continue;
    if (entries.has(name)) throw refuse(`it has two entries with the name ${shown(name)}`);
    entries.set(name, entry);
  }
  return entries;
}

const viewOf = ({ buffer, byteOffset, length }: Uint8Array): DataView =>
  new DataView(buffer, byteOffset, length);

/** Finds the record at the end, which a comment may follow. */
function readEnd(view: DataView, refuse: ZipOptions["refuse"]): { count: number; offset: number } {
  const first = Math.max(0, view.byteLength - END_BYTES - COMMENT_MAX_BYTES);
  for (let at = view.byteLength - END_BYTES; at >= first; at--) {
    if (view.getUint32(at, true) !== END_SIGNATURE) continue;
    if (at + END_BYTES + view.getUint16(at + 20, true) !== view.byteLength) continue;
    const count = view.getUint16(at + 10, true);
    const [size, offset] = [view.getUint32(at + 12, true), view.getUint32(at + 16, true)];
    // An archive of ZIP64 is larger than an upload may be, or in parts.
    if (count !== view.getUint16(at + 8, true) || offset + size > at) throw refuse(INVALID);
    return { count, offset };
  }
  throw refuse(INVALID);
}

function readEntry(
  bytes: Uint8Array,
  at: number,
  name: string,
  { refuse, unpackerOf, methodNames, crc32 }: ZipOptions,
): ZipEntry {
  const view = viewOf(bytes);
  const flags = view.getUint16(at + 8, true);
  const method = view.getUint16(at + 10, true);
  const crc = view.getUint32(at + 16, true);
  const packedBytes = view.getUint32(at + 20, true);
  const sizeBytes = view.getUint32(at + 24, true);
  const attributes = view.getUint32(at + 38, true);
  const offset = view.getUint32(at + 42, true);
  if ([packedBytes, sizeBytes, offset].includes(IN_ZIP64)) throw refuse(INVALID);
  if (escapes(name)) throw refuse(`its entry ${shown(name)} has a path outside of the project`);
  if (flags & ENCRYPTED) throw refuse(`its entry ${shown(name)} is encrypted`);
  if (((attributes >>> 16) & TYPE_MASK) === SYMBOLIC_LINK)
    throw refuse(`its entry ${shown(name)} is a symbolic link`);
  const unpack = unpackerOf(method);
  if (unpack === undefined)
    throw refuse(`its entry ${shown(name)} has compression method ${method}; what is read: ${methodNames}`);
  const read = (): Uint8Array => {
    const packed = packedAt(bytes, offset, packedBytes);
    if (packed === undefined) throw refuse(INVALID);
    let unpacked: Uint8Array;
    try {
      unpacked = unpack(packed, sizeBytes);
    } catch {
      throw refuse(`its entry ${shown(name)} is damaged`);
    }
    if (unpacked.length !== sizeBytes || crc32(unpacked) !== crc)
      throw refuse(`its entry ${shown(name)} is damaged`);
    return unpacked;
  };
  return { name, sizeBytes, read };
}

/** Returns undefined for bytes that are not in the archive. */
function packedAt(bytes: Uint8Array, offset: number, packedBytes: number): Uint8Array | undefined {
  const view = viewOf(bytes);
  if (offset + LOCAL_BYTES > bytes.length || view.getUint32(offset, true) !== LOCAL_SIGNATURE)
    return undefined;
  const lengths = view.getUint16(offset + 26, true) + view.getUint16(offset + 28, true);
  const start = offset + LOCAL_BYTES + lengths;
  return start + packedBytes > bytes.length ? undefined : bytes.subarray(start, start + packedBytes);
}

/** Without the flag, programs write names of ASCII, or of an encoding that the archive does not name. */
function readName(bytes: Uint8Array, at: number, length: number, refuse: ZipOptions["refuse"]): string {
  const end = at + ENTRY_BYTES + length;
  if (end > bytes.length) throw refuse(INVALID);
  const name = bytes.subarray(at + ENTRY_BYTES, end);
  const isUtf8 = (viewOf(bytes).getUint16(at + 8, true) & UTF8_NAME) !== 0;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(name).replaceAll("\\", "/");
  } catch {
    if (isUtf8) throw refuse(INVALID);
    return Array.from(name, (byte) => String.fromCharCode(byte))
      .join("")
      .replaceAll("\\", "/");
  }
}

function escapes(name: string): boolean {
  const segments = name.replace(/\/$/, "").split("/");
  const leaves = segments.some((segment) => segment === "" || segment === "." || segment === "..");
  return leaves || /^[a-z]:/i.test(name);
}

const NAME_SHOWN = 100;

/** A name without control characters, of a bounded length. */
const shown = (name: string): string =>
  JSON.stringify(name.length > NAME_SHOWN ? `${name.slice(0, NAME_SHOWN)}…` : name);
