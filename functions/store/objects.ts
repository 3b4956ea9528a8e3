/** Objects in the bucket: bytes in, bytes out, and removal by prefix. */
import { Readable } from "node:stream";
import {
  DeleteObjectsCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  NoSuchKey,
  PutObjectCommand,
  S3Client,
} from "@aws-sdk/client-s3";
import { Upload } from "@aws-sdk/lib-storage";
import { ApiError } from "../api/errors.ts";
import { countErrors } from "./count-errors.ts";
import { requiredEnv } from "./env.ts";

/** Made once for each execution environment; region, credentials and endpoint are the SDK's standard variables'. */
const s3 = countErrors(new S3Client({}), "BucketErrors");

const bucket = () => ({ Bucket: requiredEnv("BUCKET_NAME") });

export async function putObject(key: string, body: Uint8Array, contentType: string): Promise<void> {
  await s3.send(new PutObjectCommand({ ...bucket(), Key: key, Body: body, ContentType: contentType }));
}

/** Stores what may be larger than memory, in parts; nothing is visible before the last part is there. */
export async function uploadObject(key: string, body: Readable, contentType: string): Promise<void> {
  const params = { ...bucket(), Key: key, Body: body, ContentType: contentType };
  await new Upload({ client: s3, params, leavePartsOnError: false }).done();
}

/** @returns the object from `offset` on, at most `length` bytes of it, or undefined when there is none. */
export async function openObject(key: string, offset = 0, length?: number): Promise<Readable | undefined> {
  const last = length === undefined ? "" : offset + length - 1;
  const range = offset > 0 || length !== undefined ? { Range: `bytes=${offset}-${last}` } : {};
  try {
    const { Body } = await s3.send(new GetObjectCommand({ ...bucket(), Key: key, ...range }));
    return Body as Readable;
  } catch (error) {
    if (error instanceof NoSuchKey) return undefined;
    if ((error as { name?: string }).name === "InvalidRange") return Readable.from([]);
    throw error;
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

export async function deleteObjects(keys: readonly string[]): Promise<void> {
  for (let start = 0; start < keys.length; start += 1000) {
    const Objects = keys.slice(start, start + 1000).map((Key) => ({ Key }));
    const { Errors } = await s3.send(
      new DeleteObjectsCommand({ ...bucket(), Delete: { Objects, Quiet: true } }),
    );
    if (Errors?.length) throw new Error(`${Errors.length} objects were not deleted: ${Errors[0]!.Message}`);
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

/** Deletes every object whose key begins with the prefix, however many. */
export async function deletePrefix(prefix: string): Promise<void> {
  for (;;) {
    const page = await s3.send(new ListObjectsV2Command({ ...bucket(), Prefix: prefix }));
    const keys = (page.Contents ?? []).map((object) => object.Key!);
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
    if (error instanceof ApiError) await deleteObjects(keys);
    throw error;
  });
  if (!written) await deleteObjects(keys);
  return written;
}
