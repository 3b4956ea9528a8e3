/** Writes a zip archive as a stream: no entry is held as a whole, and the archive never. */
import { Zip, ZipDeflate, ZipPassThrough } from "fflate";

export interface NewEntry {
  readonly name: string;
  readonly modifiedMs?: number | undefined;
  /** Returns the whole content, or its parts in order. */
  readonly read: () => Promise<Uint8Array> | AsyncIterable<Uint8Array>;
}

export type Compression = "zip" | "none";

/** The first day that a zip archive can hold: entries without a date have it, so equal labs make equal archives. */
const NO_DATE = new Date(1980, 0, 1);

/** The reader of a long entry gets it in parts. */
const PART_BYTES = 65_536;

const DEFLATE_LEVEL = 6;

export async function* writeZip(
  entries: Iterable<NewEntry>,
  compression: Compression,
): AsyncGenerator<Uint8Array> {
  const ready: Uint8Array[] = [];
  const zip = new Zip((error, chunk) => {
    if (error) throw error;
    ready.push(chunk);
  });
  for (const { name, modifiedMs, read } of entries) {
    const content = read();
    const entry =
      compression === "none" ? new ZipPassThrough(name) : new ZipDeflate(name, { level: DEFLATE_LEVEL });
    entry.mtime = modifiedMs === undefined ? NO_DATE : new Date(modifiedMs);
    zip.add(entry);
    for await (const [part, isLast] of withLast(Symbol.asyncIterator in content ? content : cut(content))) {
      entry.push(part, isLast);
      yield* ready.splice(0);
    }
  }
  zip.end();
  yield* ready.splice(0);
}

async function* cut(content: Promise<Uint8Array>): AsyncGenerator<Uint8Array> {
  const bytes = await content;
  for (let start = 0; start < bytes.length; start += PART_BYTES)
    yield bytes.subarray(start, start + PART_BYTES);
}

/** Returns each part with whether it is the last one; an empty last part if there are none. */
async function* withLast(parts: AsyncIterable<Uint8Array>): AsyncGenerator<readonly [Uint8Array, boolean]> {
  let held: Uint8Array | undefined;
  for await (const part of parts) {
    if (held !== undefined) yield [held, false];
    held = part;
  }
  yield [held ?? new Uint8Array(0), true];
}
