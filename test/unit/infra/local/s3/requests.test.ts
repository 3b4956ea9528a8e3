/** Requests as S3 answers them: conditions, presigned URLs, chunked bodies, errors. */
import {
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateMultipartUploadCommand,
  DeleteBucketCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  UploadPartCommand,
} from "@aws-sdk/client-s3";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { DISK } from "../../../../../infra/local/s3/files.ts";
import { startS3 } from "../../../../../infra/local/s3/s3.ts";
import { Bucket, S3Bench } from "./s3-bench.ts";

const bench = new S3Bench();
beforeAll(() => bench.start());
afterAll(() => bench.end());

type PutOptions = Partial<ConstructorParameters<typeof PutObjectCommand>[0]>;
const put = (Key: string, Body: string, options: PutOptions = {}) =>
  bench.client.send(new PutObjectCommand({ Bucket, Key, Body, ...options }));

describe("conditional writes", () => {
  it("stores a new object once, also if several clients store it at the same time", async () => {
    const attempts = Array.from({ length: 8 }, (_, index) => put("once", `${index}`, { IfNoneMatch: "*" }));

    const results = await Promise.allSettled(attempts);

    const stored = results.flatMap(({ status }, index) => (status === "fulfilled" ? [`${index}`] : []));
    expect(stored).toEqual([await bench.get("once")]);
    for (const result of results)
      if (result.status === "rejected")
        expect(result.reason).toMatchObject({
          name: "PreconditionFailed",
          $metadata: { httpStatusCode: 412 },
        });
  });

  it("replaces and deletes an object that is as the client knows it", async () => {
    const { ETag } = await put("known", "1");
    const { ETag: second } = await put("known", "2", { IfMatch: ETag });
    await expect(put("known", "3", { IfMatch: ETag })).rejects.toMatchObject({ name: "PreconditionFailed" });
    expect(await bench.get("known")).toBe("2");
    const remove = (IfMatch: string | undefined) =>
      bench.client.send(new DeleteObjectCommand({ Bucket, Key: "known", IfMatch }));
    await expect(remove(ETag)).rejects.toMatchObject({ name: "PreconditionFailed" });
    await remove(second);
    await expect(put("known", "4", { IfMatch: second })).rejects.toMatchObject({ name: "NoSuchKey" });
  });

  it("holds for completed uploads and copies", async () => {
    await put("taken", "1");
    const target = { Bucket, Key: "taken" };
    const { UploadId } = await bench.client.send(new CreateMultipartUploadCommand(target));
    const { ETag } = await bench.client.send(
      new UploadPartCommand({ ...target, UploadId, PartNumber: 1, Body: "2" }),
    );
    const complete = new CompleteMultipartUploadCommand({
      ...target,
      UploadId,
      MultipartUpload: { Parts: [{ PartNumber: 1, ETag }] },
      IfNoneMatch: "*",
    });
    await expect(bench.client.send(complete)).rejects.toMatchObject({ name: "PreconditionFailed" });
    const copy = new CopyObjectCommand({ ...target, CopySource: `${Bucket}/taken`, IfNoneMatch: "*" });
    await expect(bench.client.send(copy)).rejects.toMatchObject({ name: "PreconditionFailed" });
    expect(await bench.get("taken")).toBe("1");
  });
});

it("answers conditional reads", async () => {
  const { ETag = "" } = await put("read", "1");
  const head = (options: object) =>
    bench.client.send(new HeadObjectCommand({ Bucket, Key: "read", ...options }));
  const { LastModified } = await head({ IfMatch: ETag });
  for (const options of [{ IfNoneMatch: ETag }, { IfModifiedSince: LastModified }])
    await expect(head(options)).rejects.toMatchObject({ $metadata: { httpStatusCode: 304 } });
  const before = new Date(LastModified!.getTime() - 1000);
  for (const options of [{ IfMatch: '"other"' }, { IfUnmodifiedSince: before }])
    await expect(head(options)).rejects.toMatchObject({ $metadata: { httpStatusCode: 412 } });
  await head({ IfModifiedSince: before, IfNoneMatch: '"other"' });
});

it("keeps the headers of an upload, also in copies", async () => {
  const headers = {
    ContentType: "text/x",
    ContentDisposition: "inline",
    CacheControl: "no-store",
    Metadata: { a: "b" },
  };
  await put("headers", "1", headers);
  await bench.client.send(
    new CopyObjectCommand({ Bucket, Key: "a copy/&", CopySource: `${Bucket}/headers` }),
  );
  for (const Key of ["headers", "a copy/&"])
    expect(await bench.client.send(new HeadObjectCommand({ Bucket, Key }))).toMatchObject({
      ...headers,
      ContentLength: 1,
    });
  const missing = new CopyObjectCommand({ Bucket, Key: "c", CopySource: `${Bucket}/none` });
  await expect(bench.client.send(missing)).rejects.toMatchObject({ name: "NoSuchKey" });
});

describe("presigned URLs", () => {
  const presign = (expiresIn: number) =>
    getSignedUrl(
      bench.client,
      new GetObjectCommand({
        Bucket,
        Key: "signed",
        ResponseContentDisposition: "attachment",
        ResponseContentType: "text/y",
      }),
      { expiresIn },
    );

  it("give access with the headers that were signed, in ranges, until they expire", async () => {
    await put("signed", "content");
    const url = await presign(60);
    const response = await fetch(url, { headers: { range: "bytes=3-" } });
    expect([response.status, await response.text()]).toEqual([206, "tent"]);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-disposition": "attachment",
      "content-type": "text/y",
      "content-range": "bytes 3-6/7",
    });
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 61_000 });
    try {
      const late = await fetch(url);
      expect(late.status).toBe(403);
      expect(await late.text()).toContain("<Code>AccessDenied</Code>");
    } finally {
      vi.useRealTimers();
    }
  });

  it("without a signature, or of another account, are refused", async () => {
    for (const query of ["", "?X-Amz-Credential=other%2F20260101"])
      expect((await fetch(`${bench.server.endpoint}/${Bucket}/signed${query}`)).status).toBe(403);
    const undated = "?X-Amz-Credential=S3RVER%2F20260101&X-Amz-Expires=60";
    expect((await fetch(`${bench.server.endpoint}/${Bucket}/signed${undated}`)).status).toBe(403);
  });
});

describe("bodies in chunks", () => {
  const send = (body: string, headers: Record<string, string> = {}) =>
    bench.fetch("/chunks", {
      method: "PUT",
      body,
      headers: {
        "x-amz-content-sha256": "STREAMING-UNSIGNED-PAYLOAD-TRAILER",
        "x-amz-decoded-content-length": "5",
        ...headers,
      },
    });

  it("are stored without the chunks' sizes", async () => {
    const body =
      "6;chunk-signature=00\r\nfirst \r\na\r\nand second\r\n0\r\nx-amz-checksum-crc32:KY29Kw==\r\n\r\n";
    const headers = { "x-amz-decoded-content-length": "16", "content-encoding": "gzip, aws-chunked" };
    expect((await send(body, headers)).status).toBe(200);
    expect(await bench.get("chunks")).toBe("first and second");
    const { ContentEncoding } = await bench.client.send(new HeadObjectCommand({ Bucket, Key: "chunks" }));
    expect(ContentEncoding).toBe("gzip");
    await bench.client.send(new DeleteObjectCommand({ Bucket, Key: "chunks" }));
  });

  it.each([
    ["without the last one", "5\r\nhello\r\n", "IncompleteBody"],
    ["with a size that is no number", "five\r\nhello\r\n0\r\n\r\n", "IncompleteBody"],
    ["that are shorter than announced", "4\r\nhell\r\n0\r\n\r\n", "IncompleteBody"],
    ["with another checksum", "5\r\nhello\r\n0\r\nx-amz-checksum-crc32:AAAAAA==\r\n\r\n", "BadDigest"],
  ])("%s are refused, and nothing is stored", async (_name, body, code) => {
    const response = await send(body);
    expect(response.status).toBe(400);
    expect(await response.text()).toContain(`<Code>${code}</Code>`);
    await expect(bench.get("chunks")).rejects.toMatchObject({ name: "NoSuchKey" });
  });
});

describe("errors", () => {
  it("are XML with code, message and resource", async () => {
    const response = await bench.fetch("/a%20%26?list-type=2", { method: "GET" });
    expect([response.status, response.headers.get("content-type")]).toEqual([404, "application/xml"]);
    const id = response.headers.get("x-amz-request-id");
    expect(await response.text()).toBe(
      '<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>NoSuchKey</Code><Message>The key does not exist: a &#38;.</Message>' +
        `<Resource>/${Bucket}/a%20%26?list-type=2</Resource><RequestId>${id}</RequestId></Error>`,
    );
  });

  const xml = (body: string) => ({ method: "POST", body });
  it.each<[string, string, RequestInit, number, string]>([
    ["a parameter that the local S3 does not have", "?list-type=2&delimiter=/", {}, 501, "NotImplemented"],
    [
      "a header that the local S3 does not have",
      "/k",
      { method: "PUT", headers: { "x-amz-tagging": "a=b" } },
      501,
      "NotImplemented",
    ],
    ["an operation that the local S3 does not have", "/k", { method: "PATCH" }, 501, "NotImplemented"],
    ["the first version of listings", "", {}, 501, "NotImplemented"],
    ["a path that is not encoded", "/%ff", {}, 400, "InvalidArgument"],
    ["a name that no file may have", `/${"k".repeat(300)}`, { method: "PUT" }, 400, "KeyTooLongError"],
    [
      "another checksum",
      "/k",
      { method: "PUT", body: "x", headers: { "content-md5": "AAAA" } },
      400,
      "BadDigest",
    ],
    [
      "a condition of writes that S3 does not have",
      "/k",
      { method: "PUT", headers: { "if-none-match": '"x"' } },
      501,
      "NotImplemented",
    ],
    [
      "an upload that there is not",
      "/k?uploadId=x&partNumber=1",
      { method: "PUT", body: "x" },
      404,
      "NoSuchUpload",
    ],
    ["a deletion of nothing", "?delete", xml("<Delete></Delete>"), 400, "MalformedXML"],
    [
      "a deletion of a version",
      "?delete",
      xml("<Delete><Object><Key>a</Key><VersionId>1</VersionId></Object></Delete>"),
      501,
      "NotImplemented",
    ],
    ["a page of -1", "?list-type=2&max-keys=-1", {}, 400, "InvalidArgument"],
  ])("refuse %s", async (_name, path, init, status, code) => {
    const response = await bench.fetch(path, init);
    expect([response.status, /<Code>(\w+)</.exec(await response.text())?.[1]]).toEqual([status, code]);
  });

  it("name a bucket that does not exist, and one that is not empty", async () => {
    const list = new ListObjectsV2Command({ Bucket: "none-such" });
    await expect(bench.client.send(list)).rejects.toMatchObject({ name: "NoSuchBucket" });
    await put("kept", "1");
    await expect(bench.client.send(new DeleteBucketCommand({ Bucket }))).rejects.toMatchObject({
      name: "BucketNotEmpty",
    });
  });

  it("refuse parts that do not belong to an upload", async () => {
    const target = { Bucket, Key: "parts" };
    const { UploadId } = await bench.client.send(new CreateMultipartUploadCommand(target));
    const add = async (PartNumber: number) => {
      const { ETag } = await bench.client.send(
        new UploadPartCommand({ ...target, UploadId, PartNumber, Body: `${PartNumber}` }),
      );
      return { PartNumber, ETag };
    };
    const [one, two] = [await add(1), await add(2)];
    const complete = (...Parts: object[]) =>
      bench.client.send(
        new CompleteMultipartUploadCommand({ ...target, UploadId, MultipartUpload: { Parts } }),
      );
    await expect(complete({ PartNumber: 3, ETag: '"x"' })).rejects.toMatchObject({
      name: "InvalidPart",
    });
    await expect(complete({ ...one, ETag: '"x"' })).rejects.toMatchObject({ name: "InvalidPart" });
    await expect(complete(one, two)).rejects.toMatchObject({ name: "EntityTooSmall" });
    await expect(complete(two, one)).rejects.toMatchObject({ name: "EntityTooSmall" });
    await expect(add(10_001)).rejects.toMatchObject({ name: "InvalidArgument" });
    await complete(two);
    expect(await bench.get("parts")).toBe("2");
    await expect(complete(two)).rejects.toMatchObject({ name: "NoSuchUpload" });
  });
});

it("stores keys as they are written", async () => {
  const keys = [
    "../up",
    "./x",
    "a//b",
    "a/",
    "a/../b",
    "a%2Fb",
    "a.object",
    "a.object/b",
    "é ü",
    "tab\tkey",
    ".unfinished",
  ];
  for (const key of keys) await put(`odd/${key}`, key);
  for (const key of keys) expect(await bench.get(`odd/${key}`)).toBe(key);
  const { Contents = [] } = await bench.client.send(new ListObjectsV2Command({ Bucket, Prefix: "odd/" }));
  expect(Contents.map(({ Key }) => Key!.slice(4)).toSorted()).toEqual(keys.toSorted());
  const Objects = Contents.map(({ Key }) => ({ Key }));
  const { Deleted = [] } = await bench.client.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects } }));
  expect(Deleted).toHaveLength(keys.length);
  expect(await bench.client.send(new ListObjectsV2Command({ Bucket, Prefix: "odd/" }))).toMatchObject({
    KeyCount: 0,
  });
});

it("reports a full disk, keeps the object that is there, and goes on", async () => {
  const other = new S3Bench();
  const reports: string[] = [];
  let isFull = false;
  const server = await startS3("127.0.0.1", other.folder, (line) => reports.push(line), {
    ...DISK,
    async open(path, flags) {
      const file = await DISK.open(path, flags);
      const appendFile = async (bytes: Uint8Array) => {
        if (isFull) throw Object.assign(new Error("ENOSPC: no space left on device"), { code: "ENOSPC" });
        await file.appendFile(bytes);
      };
      return {
        appendFile,
        read: (...args) => file.read(...args),
        stat: () => file.stat(),
        sync: () => file.sync(),
        close: () => file.close(),
      };
    },
  });
  const headers = { authorization: "AWS4-HMAC-SHA256 Credential=S3RVER/x" };
  const send = (body?: string) =>
    fetch(`${server.endpoint}/${Bucket}${body === undefined ? "" : "/a"}`, {
      method: "PUT",
      headers,
      ...(body && { body }),
    });
  await send();
  expect((await send("before")).status).toBe(200);
  isFull = true;
  const full = await send("after");
  expect([full.status, /<Code>(\w+)</.exec(await full.text())?.[1]]).toEqual([500, "InternalError"]);
  expect(reports).toEqual([`S3: PUT /${Bucket}/a failed: ENOSPC: no space left on device`]);
  isFull = false;
  expect(await (await fetch(`${server.endpoint}/${Bucket}/a`, { headers })).text()).toBe("before");
  expect((await send("after")).status).toBe(200);
  await server.stop();
});
