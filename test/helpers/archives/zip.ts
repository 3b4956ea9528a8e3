/** Makes and changes zip archives for tests. */
import { type Zippable, zipSync } from "fflate";

export const zip = (files: Readonly<Record<string, string | Uint8Array>>): Buffer<ArrayBuffer> =>
  Buffer.from(
    zipSync(
      Object.fromEntries(
        Object.entries(files).map(([name, content]) => [
          name,
          typeof content === "string" ? new Uint8Array(Buffer.from(content)) : content,
        ]),
      ) as Zippable,
      { mtime: new Date(2020, 0, 1), level: 1 },
    ),
  );

/** Offsets of the directory's entries. */
export function directoryOf(archive: Buffer): number[] {
  const found: number[] = [];
  for (let at = archive.indexOf("PK\x01\x02", 0, "latin1"); at >= 0; ) {
    found.push(at);
    at = archive.indexOf("PK\x01\x02", at + 1, "latin1");
  }
  return found;
}

/** Returns a copy of the archive in which a field of an entry of the directory has another value. */
export function withField(archive: Buffer, entry: number, field: number, value: number, bytes = 2): Buffer {
  const changed = Buffer.from(archive);
  changed.writeUIntLE(value, directoryOf(changed)[entry]! + field, bytes);
  return changed;
}
