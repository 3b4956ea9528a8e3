/**
 * The file of an object: its content, then what is known of it as JSON, then the end mark. One file is renamed at once, so that an object
 * is there with all that belongs to it, or not at all.
 *
 *     content | JSON | bytes of the JSON, 4, big-endian | "WL-OBJ-1"
 */
import type { OpenFile } from "./files.ts";

export interface ObjectFacts {
  readonly bytes: number;
  /** With its quotes, as in the header. */
  readonly etag: string;
  /** The headers of the upload that a download has again. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface StoredFacts extends ObjectFacts {
  readonly modified: Date;
}

const MARK = Buffer.from("WL-OBJ-1");
const END_BYTES = 4 + MARK.length;

export function encodeEnd(facts: ObjectFacts): Buffer {
  const json = Buffer.from(JSON.stringify(facts));
  const length = Buffer.alloc(4);
  length.writeUInt32BE(json.length);
  return Buffer.concat([json, length, MARK]);
}

/** What is wrong with the file of an object. */
export class DamagedFile extends Error {}

/** @throws DamagedFile when the file does not end as `encodeEnd` writes it. */
export async function readFacts(file: OpenFile): Promise<StoredFacts> {
  const { size, mtime } = await file.stat();
  if (size === 0) throw new DamagedFile("it is empty");
  const end = await readPart(file, size - END_BYTES, END_BYTES);
  if (end === undefined || !end.subarray(4).equals(MARK)) throw new DamagedFile("its end is missing");
  const jsonBytes = end.readUInt32BE(0);
  const json = await readPart(file, size - END_BYTES - jsonBytes, jsonBytes);
  const facts = json && parseFacts(json.toString());
  if (facts === undefined || facts.bytes + jsonBytes + END_BYTES !== size)
    throw new DamagedFile("its end does not belong to its content");
  return { ...facts, modified: mtime };
}

function parseFacts(json: string): ObjectFacts | undefined {
  try {
    const { bytes, etag, headers } = JSON.parse(json) as ObjectFacts;
    return Number.isInteger(bytes) && typeof etag === "string" && typeof headers === "object"
      ? { bytes, etag, headers }
      : undefined;
  } catch {
    return undefined;
  }
}

async function readPart(file: OpenFile, position: number, length: number): Promise<Buffer | undefined> {
  if (position < 0) return undefined;
  const buffer = Buffer.alloc(length);
  const { bytesRead } = await file.read(buffer, 0, length, position);
  return bytesRead === length ? buffer : undefined;
}
