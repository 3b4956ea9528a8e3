/** Objects in the bucket: bytes in, bytes out, and removal by prefix. */
import { Readable } from "node:stream";
import { ApiError } from "../api/errors.ts";
import { logger } from "../api/log.ts";
import { requiredEnv } from "./env.ts";
import { unavailable } from "./store-faults.ts";

/** The client is as much code as the rest of a small function: those that start without it start sooner. */
let loading: Promise<typeof import("./bucket.ts")> | undefined;
const loadClient = () => {
  loading ??= import("./bucket.ts");
  return loading;
};

const bucket = () => ({ Bucket: requiredEnv("BUCKET_NAME") });

export async function putObject(key: string, body: Uint8Array, contentType: string): Promise<void> {
  const { s3, PutObjectCommand } = await loadClient();
  await s3.send(new PutObjectCommand({ ...bucket(), Key: key, Body: body, ContentType: contentType }));
}

/** Stores what may be larger than memory, in parts; nothing is visible before the last part is there. */
export async function uploadObject(key: string, body: Readable, contentType: string): Promise<void> {
  const { s3, Upload } = await loadClient();
  const params = { ...bucket(), Key: key, Body: body, ContentType: contentType };
  await new Upload({ client: s3, params, leavePartsOnError: false }).done();
}

/** @returns the object from `offset` on, at most `length` bytes of it, or undefined when there is none. */
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

/** The bytes to their end. @throws ApiError `store.unavailable` when they break off. */
async function* whole(body: Readable): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (error) {
    throw unavailable(error);
  }
}

/** @returns the object, whole unless a part is asked for, or undefined when there is none. */
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

/** A client follows a redirect at once; S3 looks at the time when the download begins. */
const URL_SECONDS = 300;

/**
 * Presigns a URL with which the object can be read without credentials for 5 minutes.
 * @param disposition the value of `Content-Disposition` with which S3 answers.
 * @param headOnly signs for HEAD in place of GET: S3 refuses a request by another method than the one signed.
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
 * One page of the bucket, in the order of the keys.
 * @param after the key before the first one wanted.
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
 * Deletes every object whose key begins with the prefix, however many.
 * @param isRight asked between listing and deleting them; the rest stays when it is not.
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
 * Performs the write that makes uploaded objects part of something. They are deleted when it is refused; of any other
 * failure it is not known whether it was written.
 */
export async function keepIfWritten(keys: readonly string[], write: Promise<boolean>): Promise<boolean> {
  const written = await write.catch(async (error: unknown) => {
    if (error instanceof ApiError && error.code !== "store.unavailable") await discardObjects(keys);
    throw error;
  });
  if (!written) await discardObjects(keys);
  return written;
}

/** Deletes what nothing refers to: should that fail, the sweeper does it, and the request goes on as it would. */
export async function discardObjects(keys: readonly string[]): Promise<void> {
  await deleteObjects(keys).catch((error: unknown) => {
    logger.warn("Objects are left to the sweeper", { keys: keys.length, error: error as Error });
  });
}
