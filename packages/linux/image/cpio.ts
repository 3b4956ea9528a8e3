/** Writes an initramfs: a cpio archive of the format `newc` (kernel documentation, early-userspace/buffer-format). */
import type { Entry } from "./file-tree.ts";

const HEADER_FIELDS = 13;
const TYPES = { file: 0o100_000, folder: 0o040_000, link: 0o120_000 } as const;

/** @param entries paths without a leading slash; the archive has them in order of their names, with the time 0, owned by root. */
export function writeCpio(entries: ReadonlyMap<string, Entry>): Uint8Array {
  const parts: Uint8Array[] = [];
  let number = 1;
  for (const path of [...entries.keys()].toSorted()) {
    const entry = entries.get(path)!;
    parts.push(...encode(path, number++, TYPES[entry.type] | entry.mode, bytesOf(entry)));
  }
  parts.push(...encode("TRAILER!!!", 0, 0, new Uint8Array()));
  return Buffer.concat(parts);
}

const bytesOf = (entry: Entry): Uint8Array =>
  entry.type === "file"
    ? entry.data
    : entry.type === "link"
      ? new TextEncoder().encode(entry.target)
      : new Uint8Array();

function encode(path: string, inode: number, mode: number, data: Uint8Array): Uint8Array[] {
  const name = new TextEncoder().encode(`${path}\0`);
  const fields = new Array<number>(HEADER_FIELDS).fill(0);
  [fields[0], fields[1], fields[4], fields[6], fields[11]] = [inode, mode, 1, data.length, name.length];
  const header = `070701${fields.map((field) => field.toString(16).padStart(8, "0")).join("")}`;
  return [
    new TextEncoder().encode(header),
    name,
    padding(header.length + name.length),
    data,
    padding(data.length),
  ];
}

const padding = (length: number) => new Uint8Array(-length & 3);
