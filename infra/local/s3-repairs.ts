/**
 * Corrects these differences between s3rver 5 and S3:
 *
 * - a listing of more than one page fails (the page tokens use a cipher that current OpenSSL rejects), is sorted by
 *   folder, not by key, and does not escape `&`, `<` and `>` in keys;
 * - deleting an object also deletes its folder if that is empty, so that a concurrent upload to the folder fails
 *   (s3-folders.ts prevents that);
 * - an interrupted upload leaves a truncated object, and readers see the first part of an upload in progress;
 * - a multipart upload cannot be aborted;
 * - a suffix range (`bytes=-5`) is misread.
 *
 * The condition of a conditional write (`If-None-Match`) is still ignored.
 */
import { randomUUID } from "node:crypto";
import { readdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import type S3rver from "@20minutes/s3rver";
import { ObjectFolders } from "./s3-folders.ts";

const OBJECT_FILE_SUFFIX = "._S3rver_object";
const PAGE_MAX_KEYS = 1000;

export function repairS3({ store, middleware }: S3rver): void {
  const putContent = store.putContent.bind(store);
  store.putContent = async (path, content) => {
    const unfinished = `${path}.${randomUUID().slice(0, 8)}`;
    try {
      const written = await putContent(unfinished, content);
      await rename(unfinished, path);
      return written;
    } catch (error) {
      await rm(unfinished, { force: true });
      throw error;
    }
  };
  const folders = new ObjectFolders();
  const folderOf = (bucket: string, key: string) => dirname(store.getResourcePath(bucket, key, "object"));
  const putObject = store.putObject.bind(store);
  store.putObject = (object) => {
    const { bucket, key } = object;
    return folders.write(folderOf(bucket, key), store.getBucketPath(bucket), () => putObject(object));
  };
  store.deleteObject = async (bucket, key) => {
    const files = ["object", "object.md5", "metadata.json"].map((kind) =>
      store.getResourcePath(bucket, key, kind),
    );
    await Promise.all(files.map((file) => rm(file, { force: true })));
    folders.prune(folderOf(bucket, key), store.getBucketPath(bucket));
  };
  const uploadsOf = (bucket: string) => store.getResourcePath(bucket, undefined, "uploads");
  const pruneUploads = (bucket: string) => folders.prune(uploadsOf(bucket), store.getBucketPath(bucket));
  const initiateUpload = store.initiateUpload.bind(store);
  store.initiateUpload = (bucket, ...upload) =>
    folders.write(uploadsOf(bucket), store.getBucketPath(bucket), () => initiateUpload(bucket, ...upload));
  const putObjectMultipart = store.putObjectMultipart.bind(store);
  store.putObjectMultipart = async (bucket, ...upload) => {
    const written = await putObjectMultipart(bucket, ...upload);
    pruneUploads(bucket);
    return written;
  };
  // The last entry is the router.
  middleware.splice(-1, 0, makeListing(store), makeAbort(store, pruneUploads), makeSuffixRange(store));
}

/** ListObjectsV2, without delimiters. */
function makeListing(store: S3rver.Store): S3rver.Middleware {
  return async (context, next) => {
    const { method, query } = context;
    const bucket = decodeURIComponent(context.path.split("/")[1] ?? "");
    const listing = method === "GET" && query["list-type"] === "2" && !query.delimiter;
    if (!listing || !(await store.getBucket(bucket))) return next();
    const { prefix = "", "continuation-token": token } = query;
    const maxKeys = Math.min(Number(query["max-keys"] ?? PAGE_MAX_KEYS), PAGE_MAX_KEYS);
    const startAfter = token ? Buffer.from(token, "base64url").toString() : (query["start-after"] ?? "");
    const keys = (await listKeys(store.getBucketPath(bucket), prefix)).filter(
      (key) => compareKeys(key, startAfter) > 0,
    );
    const page = keys.slice(0, maxKeys);
    const isTruncated = page.length > 0 && keys.length > page.length;
    context.type = "application/xml";
    context.body = element("ListBucketResult", [
      element("Name", bucket),
      element("Prefix", prefix),
      element("MaxKeys", String(maxKeys)),
      element("KeyCount", String(page.length)),
      element("IsTruncated", String(isTruncated)),
      isTruncated ? element("NextContinuationToken", Buffer.from(page.at(-1)!).toString("base64url")) : "",
      ...(await Promise.all(page.map((key) => describe(store, bucket, key)))),
    ]);
  };
}

/** @param content text, which this function escapes, or child elements. */
function element(name: string, content: string | readonly string[]): string {
  const inner =
    typeof content === "string"
      ? content.replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`)
      : content.join("");
  return `<${name}>${inner}</${name}>`;
}

/** Sorts by the bytes of the keys, as S3 does. */
async function listKeys(bucketPath: string, prefix: string): Promise<string[]> {
  const files = await listFiles(bucketPath);
  return files
    .filter((path) => path.endsWith(OBJECT_FILE_SUFFIX))
    .map((path) => path.slice(bucketPath.length + 1, -OBJECT_FILE_SUFFIX.length))
    .filter((key) => key.startsWith(prefix))
    .sort(compareKeys);
}

/** Returns the paths of all files below a folder; none for a folder that was deleted meanwhile. */
async function listFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
  const paths = entries.map(async (entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? listFiles(path) : [path];
  });
  return (await Promise.all(paths)).flat();
}

function compareKeys(left: string, right: string): number {
  return Buffer.compare(Buffer.from(left), Buffer.from(right));
}

/** Returns an empty string for an object that was deleted meanwhile. */
async function describe(store: S3rver.Store, bucket: string, key: string): Promise<string> {
  const metadata = await store.getMetadata(bucket, key).catch(() => null);
  if (metadata === null) return "";
  return element("Contents", [
    element("Key", key),
    element("LastModified", new Date(metadata["last-modified"]).toISOString()),
    element("ETag", metadata.etag),
    element("Size", String(metadata["content-length"])),
    element("StorageClass", "STANDARD"),
  ]);
}

function makeAbort(store: S3rver.Store, pruneUploads: (bucket: string) => void): S3rver.Middleware {
  return async (context, next) => {
    const { uploadId } = context.query;
    if (context.method !== "DELETE" || !uploadId || !/^\w+$/.test(uploadId)) return next();
    const bucket = decodeURIComponent(context.path.split("/")[1] ?? "");
    await rm(join(store.getResourcePath(bucket, undefined, "uploads"), uploadId), {
      recursive: true,
      force: true,
    });
    pruneUploads(bucket);
    context.status = 204;
  };
}

/** `bytes=-5` requests the last 5 bytes (RFC 9110, 14.1.2). */
function makeSuffixRange(store: S3rver.Store): S3rver.Middleware {
  return async (context, next) => {
    const [, length] = /^bytes=-(\d+)$/.exec(context.headers.range ?? "") ?? [];
    if (length !== undefined) {
      const [bucket = "", ...key] = context.path.slice(1).split("/").map(decodeURIComponent);
      const metadata = await store.getMetadata(bucket, key.join("/")).catch(() => null);
      const size = Number(metadata?.["content-length"] ?? 0);
      context.headers.range = `bytes=${Math.max(0, size - Number(length))}-`;
    }
    return next();
  };
}
