/**
 * Objects in data folders of earlier releases, which had s3rver: a file with the content, one with its MD5 and one with its headers. They were
 * not written at once, so the last two may be empty or missing while the content is whole.
 */
import { createHash } from "node:crypto";
import { type Files, isMissing, type OpenFile, readBytes, readWhole } from "./files.ts";
import { DamagedFile, type StoredFacts } from "./object-file.ts";

const OBJECT = "._S3rver_object";
const KINDS = [OBJECT, `${OBJECT}.md5`, "._S3rver_metadata.json"] as const;
/** What an interrupted upload has left. */
const UNFINISHED = /\._S3rver_(object\.[0-9a-f]{8}$|uploads(\/|$))/;
const EMPTY_MD5 = createHash("md5").digest("hex");

/** @param base the path of the object without a suffix. @returns the files of the object, the content first. */
export const earlierPaths = (base: string): readonly string[] => KINDS.map((kind) => base + kind);

export const earlierContent = (base: string): string => base + OBJECT;

/** @returns the path without the suffix; undefined for a file that is not an object's content. */
export const toEarlierBase = (path: string): string | undefined =>
  path.endsWith(OBJECT) ? path.slice(0, -OBJECT.length) : undefined;

export const isUnfinished = (path: string): boolean => UNFINISHED.test(path);

/** @param file the content. @throws DamagedFile when the content is lost. */
export async function readEarlierFacts(files: Files, base: string, file: OpenFile): Promise<StoredFacts> {
  const { size, mtime } = await file.stat();
  const [, md5Path, headersPath] = earlierPaths(base);
  const stored = (await readIfThere(files, md5Path!))?.toString().trim() ?? "";
  const md5 = /^[0-9a-f]{32}(-\d+)?$/.test(stored) ? stored : await hashOf(file, size);
  if (size === 0 && md5 !== EMPTY_MD5) throw new DamagedFile("it is empty, and had content");
  return {
    bytes: size,
    etag: `"${md5}"`,
    headers: parseHeaders(await readIfThere(files, headersPath!)),
    modified: mtime,
  };
}

/** Whether the file with the headers is there but cannot be read: then the content's type is lost. */
export async function hasLostHeaders(files: Files, base: string): Promise<string | undefined> {
  const path = earlierPaths(base)[2]!;
  const bytes = await readIfThere(files, path);
  return bytes !== undefined && parse(bytes) === undefined ? path : undefined;
}

async function hashOf(file: OpenFile, size: number): Promise<string> {
  const hash = createHash("md5");
  for await (const part of readBytes(file, 0, size)) hash.update(part);
  return hash.digest("hex");
}

function parseHeaders(bytes: Buffer | undefined): Record<string, string> {
  const found = Object.entries((bytes && parse(bytes)) ?? {});
  return Object.fromEntries(found.filter((entry): entry is [string, string] => typeof entry[1] === "string"));
}

function parse(bytes: Buffer): object | undefined {
  try {
    const value: unknown = JSON.parse(bytes.toString());
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

async function readIfThere(files: Files, path: string): Promise<Buffer | undefined> {
  try {
    return await readWhole(files, path);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}
