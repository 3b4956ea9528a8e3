/** The operations of S3 that the service, its tools and its tests use; every other one is refused by name. */
import { text } from "node:stream/consumers";
import { parseRange } from "./byte-range.ts";
import { checkRead, writeCondition } from "./conditions.ts";
import { readBytes } from "./files.ts";
import { compareKeys } from "./key-path.ts";
import type { ObjectStore, OpenObject } from "./object-store.ts";
import { contentOf } from "./request-content.ts";
import { S3Error } from "./s3-error.ts";
import { RESPONSE_HEADERS, type S3Request } from "./s3-request.ts";
import { contentsOf, document, element, textOf } from "./s3-xml.ts";
import type { Uploads } from "./uploads.ts";

export interface S3Response {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly xml?: string;
  readonly body?: AsyncIterable<Uint8Array>;
  /** Called when the body has been sent, or will not be. */
  readonly close?: () => Promise<void>;
}

export interface Stores {
  readonly store: ObjectStore;
  readonly uploads: Uploads;
}

type Operation = (request: S3Request, stores: Stores) => Promise<S3Response>;

const PAGE_MAX_KEYS = 1000;
/** Headers of an upload that downloads have again, besides `x-amz-meta-...`. */
const KEPT_HEADERS = [
  "cache-control",
  "content-disposition",
  "content-encoding",
  "content-language",
  "content-type",
  "expires",
];

/** @throws S3Error `NotImplemented` */
export function operationOf({ method, key, query, headers }: S3Request): Operation {
  const isCopy = headers["x-amz-copy-source"] !== undefined;
  const found =
    key === ""
      ? {
          HEAD: headBucket,
          PUT: createBucket,
          DELETE: deleteBucket,
          GET: query["list-type"] === "2" ? listObjects : undefined,
          POST: query.delete === undefined ? undefined : deleteObjects,
        }
      : {
          HEAD: getObject,
          GET: query.uploadId === undefined ? getObject : undefined,
          PUT:
            query.uploadId === undefined
              ? isCopy
                ? copyObject
                : putObject
              : isCopy
                ? undefined
                : uploadPart,
          DELETE: query.uploadId === undefined ? deleteObject : abortUpload,
          POST:
            query.uploads !== undefined
              ? createUpload
              : query.uploadId === undefined
                ? undefined
                : completeUpload,
        };
  const operation = (found as Readonly<Record<string, Operation | undefined>>)[method];
  if (operation === undefined)
    throw new S3Error(
      "NotImplemented",
      `${method} of ${key === "" ? "a bucket" : "an object"} with these parameters`,
    );
  return operation;
}

const headBucket: Operation = async () => ({ status: 200 });

const createBucket: Operation = async ({ bucket }, { store }) => {
  await store.makeBucket(bucket);
  return { status: 200, headers: { location: `/${bucket}` } };
};

const deleteBucket: Operation = async ({ bucket }, { store }) => {
  await store.deleteBucket(bucket);
  return { status: 204 };
};

const listObjects: Operation = async ({ bucket, query }, { store }) => {
  const { prefix = "", "continuation-token": token } = query;
  const maxKeys = Math.min(Number(query["max-keys"] ?? PAGE_MAX_KEYS), PAGE_MAX_KEYS);
  if (!Number.isInteger(maxKeys) || maxKeys < 0) throw new S3Error("InvalidArgument", "max-keys");
  const startAfter = token ? Buffer.from(token, "base64url").toString() : (query["start-after"] ?? "");
  const left = (await store.list(bucket, prefix)).filter((key) => compareKeys(key, startAfter) > 0);
  const page = left.slice(0, maxKeys);
  const isTruncated = page.length > 0 && left.length > page.length;
  // Damaged objects, and those that another request has deleted meanwhile, are not listed.
  const contents = (await Promise.all(page.map((key) => describe(store, bucket, key)))).filter(
    (each) => each !== "",
  );
  return {
    status: 200,
    xml: document("ListBucketResult", [
      element("Name", bucket),
      element("Prefix", prefix),
      element("MaxKeys", String(maxKeys)),
      element("KeyCount", String(contents.length)),
      element("IsTruncated", String(isTruncated)),
      isTruncated ? element("NextContinuationToken", Buffer.from(page.at(-1)!).toString("base64url")) : "",
      ...contents,
    ]),
  };
};

async function describe(store: ObjectStore, bucket: string, key: string): Promise<string> {
  const found = await store.find(bucket, key);
  if (found === undefined) return "";
  const { facts, file } = found;
  await file.close();
  return element("Contents", [
    element("Key", key),
    element("LastModified", facts.modified.toISOString()),
    element("ETag", facts.etag),
    element("Size", String(facts.bytes)),
    element("StorageClass", "STANDARD"),
  ]);
}

const deleteObjects: Operation = async ({ bucket, incoming }, { store }) => {
  const xml = await text(incoming);
  const objects = contentsOf(xml, "Object").map((object) => ({
    key: textOf(object, "Key"),
    hasMore: /<(VersionId|ETag|LastModifiedTime|Size)>/.test(object),
  }));
  if (objects.length === 0 || objects.length > PAGE_MAX_KEYS || objects.some(({ key }) => !key))
    throw new S3Error("MalformedXML", `from 1 to ${PAGE_MAX_KEYS} objects with keys`);
  if (objects.some(({ hasMore }) => hasMore))
    throw new S3Error("NotImplemented", "versions and conditions of deleted objects");
  const keys = objects.map(({ key }) => key!);
  await store.delete(bucket, keys);
  const isQuiet = textOf(xml, "Quiet") === "true";
  const deleted = isQuiet ? [] : keys.map((key) => element("Deleted", [element("Key", key)]));
  return { status: 200, xml: document("DeleteResult", deleted) };
};

const getObject: Operation = async ({ method, bucket, key, query, headers }, { store }) => {
  const { facts, file } = await findObject(store, bucket, key);
  try {
    checkRead(headers, facts);
    const range = parseRange(headers.range, facts.bytes);
    const { start, end } = range ?? { start: 0, end: facts.bytes };
    const replaced = Object.entries(RESPONSE_HEADERS).flatMap(([name, header]) =>
      query[name] === undefined ? [] : [[header, query[name]]],
    );
    return {
      status: range === undefined ? 200 : 206,
      headers: {
        "content-type": "binary/octet-stream",
        ...facts.headers,
        ...Object.fromEntries(replaced),
        etag: facts.etag,
        "last-modified": facts.modified.toUTCString(),
        "accept-ranges": "bytes",
        "content-length": String(end - start),
        ...(range && { "content-range": `bytes ${start}-${end - 1}/${facts.bytes}` }),
      },
      ...(method !== "HEAD" && { body: readBytes(file, start, end) }),
      close: () => file.close(),
    };
  } catch (error) {
    await file.close();
    throw error;
  }
};

/** @throws S3Error `NoSuchKey` */
async function findObject(store: ObjectStore, bucket: string, key: string): Promise<OpenObject> {
  const found = await store.find(bucket, key);
  if (found === undefined) throw new S3Error("NoSuchKey", key);
  return found;
}

function keptHeaders({ headers }: S3Request): Record<string, string> {
  const kept = Object.entries(headers).filter(
    ([name]) => KEPT_HEADERS.includes(name) || name.startsWith("x-amz-meta-"),
  );
  const { "content-encoding": encoding, ...others } = Object.fromEntries(
    kept.map(([name, value]) => [name, String(value)]),
  );
  const left = (encoding ?? "")
    .split(",")
    .map((each) => each.trim())
    .filter((each) => each !== "" && each !== "aws-chunked");
  return { ...others, ...(left.length > 0 && { "content-encoding": left.join(",") }) };
}

const putObject: Operation = async (request, { store }) => {
  const { bucket, key, headers, incoming } = request;
  const condition = writeCondition(headers, key);
  const { bytes, check } = contentOf(incoming);
  const options = { headers: keptHeaders(request), check, ...(condition && { condition }) };
  return { status: 200, headers: { etag: await store.put(bucket, key, bytes, options) } };
};

const copyObject: Operation = async ({ bucket, key, headers }, { store }) => {
  const condition = writeCondition(headers, key);
  const [fromBucket = "", ...from] = decodeURIComponent(String(headers["x-amz-copy-source"]))
    .replace(/^\//, "")
    .split("/");
  const fromKey = from.join("/");
  if (!store.hasBucket(fromBucket)) throw new S3Error("NoSuchBucket", fromBucket);
  const { facts, file } = await findObject(store, fromBucket, fromKey);
  try {
    const options = { headers: facts.headers, ...(condition && { condition }) };
    const etag = await store.put(bucket, key, readBytes(file, 0, facts.bytes), options);
    const copied = [element("ETag", etag), element("LastModified", new Date().toISOString())];
    return { status: 200, xml: document("CopyObjectResult", copied) };
  } finally {
    await file.close();
  }
};

const deleteObject: Operation = async ({ bucket, key, headers }, { store }) => {
  await store.delete(bucket, [key], writeCondition(headers, key));
  return { status: 204 };
};

const createUpload: Operation = async (request, { uploads }) => {
  const { bucket, key } = request;
  const id = uploads.begin(bucket, key, keptHeaders(request));
  const content = [element("Bucket", bucket), element("Key", key), element("UploadId", id)];
  return { status: 200, xml: document("InitiateMultipartUploadResult", content) };
};

const uploadPart: Operation = async ({ query, incoming }, { uploads }) => {
  const { bytes, check } = contentOf(incoming);
  return {
    status: 200,
    headers: { etag: await uploads.addPart(query.uploadId!, Number(query.partNumber), bytes, check) },
  };
};

const completeUpload: Operation = async ({ bucket, key, query, headers, incoming }, { uploads }) => {
  const condition = writeCondition(headers, key);
  const parts = contentsOf(await text(incoming), "Part").map((part) => ({
    number: Number(textOf(part, "PartNumber")),
    etag: textOf(part, "ETag") ?? "",
  }));
  const { etag } = await uploads.complete(query.uploadId!, parts, condition);
  const content = [element("Bucket", bucket), element("Key", key), element("ETag", etag)];
  return { status: 200, xml: document("CompleteMultipartUploadResult", content) };
};

const abortUpload: Operation = async ({ query }, { uploads }) => {
  await uploads.abort(query.uploadId!);
  return { status: 204 };
};
