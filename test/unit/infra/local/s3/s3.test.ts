import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import {
  AbortMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  NoSuchKey,
  PutObjectCommand,
  S3Client,
  UploadPartCommand,
} from "@aws-sdk/client-s3";
import { Upload } from "@aws-sdk/lib-storage";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { EmbeddedServer } from "../../../../../infra/local/embedded-server.ts";
import { provisionBuckets } from "../../../../../infra/local/provision.ts";
import { startS3 } from "../../../../../infra/local/s3/s3.ts";
import { EMBEDDED_CREDENTIALS } from "../../../../../infra/local/s3/s3-request.ts";

const Bucket = "wirelab-test";
let folder: string;
let server: EmbeddedServer;
let client: S3Client;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "wirelab-s3-"));
  server = await startS3("127.0.0.1", folder);
  const settings = { endpoint: server.endpoint, region: "us-east-1", credentials: EMBEDDED_CREDENTIALS };
  for (let time = 0; time < 2; time++) await provisionBuckets(settings, [{ name: Bucket, properties: {} }]);
  client = new S3Client({ ...settings, credentials: { ...EMBEDDED_CREDENTIALS }, maxAttempts: 1 });
});

afterAll(async () => {
  client.destroy();
  await server.stop();
  rmSync(folder, { recursive: true });
});

/** The files that are not objects yet. */
const unfinished = (): string[] => readdirSync(join(folder, ".unfinished"));
const put = (Key: string, Body: string | Buffer) => client.send(new PutObjectCommand({ Bucket, Key, Body }));

async function get(Key: string, Range?: string): Promise<Buffer> {
  const { Body } = await client.send(new GetObjectCommand({ Bucket, Key, Range }));
  return Buffer.from(await Body!.transformToByteArray());
}

async function list(Prefix: string, MaxKeys?: number): Promise<{ keys: string[]; pages: number }> {
  const keys: string[] = [];
  let ContinuationToken: string | undefined;
  let pages = 0;
  do {
    const page = await client.send(new ListObjectsV2Command({ Bucket, Prefix, MaxKeys, ContinuationToken }));
    keys.push(...(page.Contents ?? []).map((object) => object.Key!));
    ContinuationToken = page.NextContinuationToken;
    pages++;
  } while (ContinuationToken);
  return { keys, pages };
}

describe("the embedded S3", () => {
  it("returns a stored object whole and in ranges", async () => {
    const bytes = Buffer.from(Array.from({ length: 1000 }, (_, index) => index % 256));

    await put("ranges/a", bytes);

    expect(await get("ranges/a")).toEqual(bytes);
    expect(await get("ranges/a", "bytes=10-19")).toEqual(bytes.subarray(10, 20));
    expect(await get("ranges/a", "bytes=990-")).toEqual(bytes.subarray(990));
    expect(await get("ranges/a", "bytes=-5")).toEqual(bytes.subarray(995));
    expect(await get("ranges/a", "bytes=995-5000")).toEqual(bytes.subarray(995));
    await expect(get("ranges/a", "bytes=1000-")).rejects.toMatchObject({ name: "InvalidRange" });
    await expect(get("ranges/none")).rejects.toThrow(NoSuchKey);
  });

  it("accepts a stream as a multipart upload", async () => {
    const bytes = Buffer.alloc(11_000_000, "wirelab ");
    const pieces = Array.from({ length: 110 }, (_, index) =>
      bytes.subarray(index * 100_000, (index + 1) * 100_000),
    );

    await new Upload({ client, params: { Bucket, Key: "parts/a", Body: Readable.from(pieces) } }).done();

    expect(bytes.equals(await get("parts/a"))).toBe(true);
    expect(unfinished()).toEqual([]);
  });

  it("deletes an aborted multipart upload", async () => {
    const target = { Bucket, Key: "parts/b" };
    const { UploadId } = await client.send(new CreateMultipartUploadCommand(target));
    await client.send(new UploadPartCommand({ ...target, UploadId, PartNumber: 1, Body: "x" }));
    expect(unfinished()).toHaveLength(1);

    await client.send(new AbortMultipartUploadCommand({ ...target, UploadId }));

    await expect(get("parts/b")).rejects.toThrow(NoSuchKey);
    expect(unfinished()).toEqual([]);
  });

  it("lists page by page in the order of the keys' bytes", async () => {
    const keys = ["o/A", "o/a", "o/a&<>", "o/a-1", "o/a.1", "o/a/1", "o/a/2", "o/é"];
    for (const key of keys.toReversed()) await put(key, key);

    expect(await list("o/", 3)).toEqual({ keys, pages: 3 });
    expect(await list("o/a/")).toEqual({ keys: ["o/a/1", "o/a/2"], pages: 1 });
    expect(await list("none/")).toEqual({ keys: [], pages: 1 });
  });

  it("lists and deletes more than a thousand objects", async () => {
    const keys = Array.from({ length: 1100 }, (_, index) => `many/${String(index).padStart(5, "0")}`);
    for (let start = 0; start < keys.length; start += 50) {
      await Promise.all(keys.slice(start, start + 50).map((key) => put(key, "x")));
    }
    expect(await list("many/")).toEqual({ keys, pages: 2 });

    for (const part of [keys.slice(0, 1000), keys.slice(1000)]) {
      const Delete = { Objects: part.map((Key) => ({ Key })), Quiet: true };
      await client.send(new DeleteObjectsCommand({ Bucket, Delete }));
    }

    expect((await list("many/")).keys).toEqual([]);
  });

  it("stores an object while it deletes another in the same folder", async () => {
    for (let round = 0; round < 30; round++) {
      await put(`beside/${round}/a`, "a");
      await Promise.all([
        client.send(new DeleteObjectCommand({ Bucket, Key: `beside/${round}/a` })),
        put(`beside/${round}/b`, "b"),
      ]);
    }

    expect((await list("beside/")).keys).toHaveLength(30);
  });

  it("deletes folders that deleted objects leave empty", async () => {
    const kept = ["tree/a/b/1", "tree/a/2"];
    for (const Key of [...kept, "tree/a/b/c/3", "tree/a/b/c/4"]) await put(Key, Key);
    const remove = (Key: string) => client.send(new DeleteObjectCommand({ Bucket, Key }));
    const hasFolder = (path: string) => existsSync(join(folder, Bucket, path));

    await remove("tree/a/b/c/3");
    expect(hasFolder("tree/a/b/c")).toBe(true);
    await remove("tree/a/b/c/4");
    expect([hasFolder("tree/a/b/c"), (await list("tree/")).keys]).toEqual([false, kept.toReversed()]);
    for (const key of [...kept, "tree/none/x"]) await remove(key);

    expect([hasFolder("tree"), hasFolder("")]).toEqual([false, true]);
    await put("tree/a/b/1", "again");
    expect((await get("tree/a/b/1")).toString()).toBe("again");
  });

  it("leaves no empty folders after concurrent writes, listings and deletions", async () => {
    const keys = Array.from({ length: 12 }, (_, index) => `busy/${index % 3}/${index % 2}/${index}`);
    const work = async (Key: string) => {
      for (let round = 0; round < 4; round++) {
        await put(Key, Key);
        expect((await get(Key)).toString()).toBe(Key);
        expect((await list("busy/")).keys).toContain(Key);
        await client.send(new DeleteObjectCommand({ Bucket, Key }));
      }
    };

    await Promise.all(keys.map(work));

    expect(existsSync(join(folder, Bucket, "busy"))).toBe(false);
  });

  it("leaves nothing of an interrupted upload", async () => {
    await put("broken/a", "before");
    await new Promise<void>((resolve) => {
      const outgoing = request(`${server.endpoint}/${Bucket}/broken/a`, {
        method: "PUT",
        headers: { "content-length": 1000, authorization: "AWS4-HMAC-SHA256 Credential=S3RVER/x" },
      });
      outgoing.on("error", () => resolve());
      outgoing.write("half", () => outgoing.destroy());
    });

    expect((await get("broken/a")).toString()).toBe("before");
    expect((await list("broken/")).keys).toEqual(["broken/a"]);
    await expect.poll(unfinished).toEqual([]);
  });
});
