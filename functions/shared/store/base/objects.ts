/** Reads, writes, lists and deletes objects in the bucket. */
import { Readable } from "node:stream";
import { ApiError } from "../../edge/errors.ts";
import { logger } from "../../edge/log.ts";
import { requiredEnv } from "./env.ts";
import { unavailable } from "./store-faults.ts";

/** The client is as large as the rest of a small function; functions that load it on first use start sooner. */
const loadClient = () => import("./bucket.ts");

const bucket = () => ({ Bucket: requiredEnv("BUCKET_NAME") });

export async function putObject(key: string, body: Uint8Array, contentType: string): Promise<void> {
  const { s3, PutObjectCommand } = await loadClient();
  await s3.send(new PutObjectCommand({ ...bucket(), Key: key, Body: body, ContentType: contentType }));
}

/** Uploads in parts what may be larger than memory; the object is not visible before the last part is stored. */
export async function uploadObject(key: string, body: Readable, contentType: string): Promise<void> {
  const { s3, Upload } = await loadClient();
  const params = { ...bucket(), Key: key, Body: body, ContentType: contentType };
  await new Upload({ client: s3, params, leavePartsOnError: false }).done();
}

/** @returns at most `length` bytes of the object from `offset` on, or undefined when there is no such object. */
export async function openObject(key: string, offset = 0, length?: number): Promise<Readable | undefined> {
  const { s3, GetObjectCommand, NoSuchKey } = await loadClient();
  const last = length === undefined ? "" : offset + length - 1;
  const range = offset > 0 || length !== undefined ? { Range: `bytes=${offset}-${last}` } : {};
  try {
    const { Body } = await s3.send(new GetObjectCommand({ ...bucket(), Key: key, ...range }));
    return Readable.from(whole(Body as Readable));
  } catch (error) {
    if (error instanceof NoSuchKey) return undefined;
    if ((error as { name?: string }).name === "InvalidRange") return Readable.from([]);
    throw error;
  }
}

/** Yields all bytes. @throws ApiError `store.unavailable` when the stream breaks off. */
async function* whole(body: Readable): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (error) {
    throw unavailable(error);
  }
}

/** @returns the whole object, or the requested part, or undefined when there is no such object. */
export async function readObject(
  key: string,
  offset?: number,
  length?: number,
): Promise<Uint8Array | undefined> {
  const stream = await openObject(key, offset, length);
  return stream && Buffer.concat(await stream.toArray());
}

/** @returns undefined when there is no such object. */
export async function objectSize(key: string): Promise<number | undefined> {
  const { s3, HeadObjectCommand, NotFound } = await loadClient();
  try {
    return (await s3.send(new HeadObjectCommand({ ...bucket(), Key: key }))).ContentLength;
  } catch (error) {
    if (error instanceof NotFound) return undefined;
    throw error;
  }
}

/** A client follows a redirect at once; S3 checks the expiry when the download begins. */
const URL_SECONDS = 300;

/**
 * Presigns a URL that gives access to the object without credentials for 5 minutes.
 * @param disposition the `Content-Disposition` of S3's response.
 * @param headOnly signs for HEAD instead of GET: S3 rejects a request with another method than the signed one.
 */
export async function presignObject(key: string, disposition: string, headOnly = false): Promise<string> {
  const { s3, GetObjectCommand, HeadObjectCommand, getSignedUrl } = await loadClient();
  const Command = headOnly ? HeadObjectCommand : GetObjectCommand;
  const command = new Command({ ...bucket(), Key: key, ResponseContentDisposition: disposition });
  return getSignedUrl(s3, command, { expiresIn: URL_SECONDS });
}

export async function deleteObjects(keys: readonly string[]): Promise<void> {
  const { s3, DeleteObjectsCommand } = await loadClient();
  for (let start = 0; start < keys.length; start += 1000) {
    const Objects = keys.slice(start, start + 1000).map((Key) => ({ Key }));
    const { Errors } = await s3.send(
      new DeleteObjectsCommand({ ...bucket(), Delete: { Objects, Quiet: true } }),
    );
    if (Errors?.length) {
      throw unavailable(new Error(`${Errors.length} objects were not deleted: ${Errors[0]!.Message}`));
    }
  }
}

export interface StoredObject {
  readonly key: string;
  readonly modifiedMs: number;
  readonly bytes: number;
}

/**
 * Lists one page of the bucket in key order.
 * @param after the key before the first wanted one.
 */
export async function listObjects(
  prefix: string,
  limit: number,
  after?: string,
): Promise<{ readonly objects: readonly StoredObject[]; readonly isLast: boolean }> {
  const { s3, ListObjectsV2Command } = await loadClient();
  const page = await s3.send(
    new ListObjectsV2Command({ ...bucket(), Prefix: prefix, MaxKeys: limit, StartAfter: after }),
  );
  const objects = (page.Contents ?? []).map(({ Key, LastModified, Size }) => ({
    key: Key!,
    modifiedMs: LastModified!.getTime(),
    bytes: Size ?? 0,
  }));
  return { objects, isLast: !page.IsTruncated };
}

/**
 * Deletes all objects whose keys begin with the prefix.
 * @param isRight checked between listing a page and deleting it; when it returns false, the rest stays.
 */
export async function deletePrefix(
  prefix: string,
  isRight: () => Promise<boolean> = async () => true,
): Promise<void> {
  const { s3, ListObjectsV2Command } = await loadClient();
  for (;;) {
    const page = await s3.send(new ListObjectsV2Command({ ...bucket(), Prefix: prefix }));
    const keys = (page.Contents ?? []).map((object) => object.Key!);
    if (keys.length === 0 || !(await isRight())) return;
    await deleteObjects(keys);
    if (!page.IsTruncated) return;
  }
}

/**
 * Performs the write that makes uploaded objects part of a resource. Deletes them when the write is refused. After any other
 * failure the objects stay, because the write may have succeeded.
 */
export async function keepIfWritten(keys: readonly string[], write: Promise<boolean>): Promise<boolean> {
  const written = await write.catch(async (error: unknown) => {
    if (error instanceof ApiError && error.code !== "store.unavailable") await discardObjects(keys);
    throw error;
  });
  if (!written) await discardObjects(keys);
  return written;
}

/** Deletes unreferenced objects. If that fails, the sweeper deletes them; the request continues. */
export async function discardObjects(keys: readonly string[]): Promise<void> {
  await deleteObjects(keys).catch((error: unknown) => {
    logger.warn("Objects are left to the sweeper", { keys: keys.length, error: error as Error });
  });
}

/** Copies an object within the bucket. @returns false when there is no such object. */
export async function copyObject(from: string, to: string): Promise<boolean> {
  const { s3, CopyObjectCommand, NoSuchKey } = await loadClient();
  const { Bucket } = bucket();
  // The source is part of a header, so it must be encoded.
  const CopySource = `${Bucket}/${from.split("/").map(encodeURIComponent).join("/")}`;
  try {
    await s3.send(new CopyObjectCommand({ Bucket, Key: to, CopySource }));
    return true;
  } catch (error) {
    if (error instanceof NoSuchKey || (error as { name?: string }).name === "NoSuchKey") return false;
    throw error;
  }
}
