import { createHash } from "node:crypto";
import { readdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  DeleteObjectCommand,
  HeadBucketCommand,
  ListObjectsV2Command,
  NoSuchKey,
  PutObjectCommand,
} from "@aws-sdk/client-s3";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Bucket, S3Bench } from "./s3-bench.ts";

let bench: S3Bench;
beforeEach(() => {
  bench = new S3Bench();
});
afterEach(() => bench.end());

const put = (Key: string, Body: string, ContentType?: string) =>
  bench.client.send(new PutObjectCommand({ Bucket, Key, Body, ContentType }));

async function list(): Promise<string[]> {
  const { Contents = [] } = await bench.client.send(new ListObjectsV2Command({ Bucket }));
  return Contents.map(({ Key }) => Key!);
}

const aside = (): string[] =>
  readdirSync(join(bench.folder, ".damaged"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

const file = (key: string): string => join(bench.folder, Bucket, `${key}.object`);

describe("a damaged file of an object", () => {
  const damages: Readonly<Record<string, [string, (path: string) => void]>> = {
    empty: ["it is empty", (path) => truncateSync(path, 0)],
    "cut short": ["its end is missing", (path) => truncateSync(path, 10)],
    "without a part of its content": [
      "its end does not belong to its content",
      (path) => writeFileSync(path, readFileSync(path).subarray(3)),
    ],
  };

  it.each(Object.entries(damages))(
    "that is %s is reported and set aside at the start",
    async (_name, [reason, damage]) => {
      await bench.start();
      for (const key of ["a/1", "a/2", "a/3"]) await put(key, `content of ${key}`);
      await bench.stop();
      damage(file("a/2"));
      const left = readFileSync(file("a/2"));

      await bench.start();

      expect(await list()).toEqual(["a/1", "a/3"]);
      expect(bench.reports).toEqual([
        `S3: ${file("a/2")} is damaged: ${reason}. The object ${Bucket}/a/2 is lost. The file is now ${aside()[0]}.`,
      ]);
      expect(aside()).toHaveLength(1);
      expect(readFileSync(aside()[0]!)).toEqual(left);
      await expect(bench.get("a/2")).rejects.toThrow(NoSuchKey);
      await put("a/2", "again");
      expect(await bench.get("a/2")).toBe("again");
    },
  );

  it("is set aside when a listing meets it, and is not listed", async () => {
    await bench.start();
    for (const key of ["1", "2", "3"]) await put(key, key);
    truncateSync(file("2"), 0);

    expect(await list()).toEqual(["1", "3"]);
    expect(bench.reports).toHaveLength(1);
    expect(await list()).toEqual(["1", "3"]);
    expect(bench.reports).toHaveLength(1);
  });

  it("is replaced and deleted as if it were not there", async () => {
    await bench.start();
    await put("1", "before");
    truncateSync(file("1"), 0);
    await bench.client.send(new PutObjectCommand({ Bucket, Key: "1", Body: "after", IfNoneMatch: "*" }));
    expect(await bench.get("1")).toBe("after");
    truncateSync(file("1"), 0);
    await bench.client.send(new DeleteObjectCommand({ Bucket, Key: "1" }));
    expect(await list()).toEqual([]);
    expect(bench.reports).toEqual([]);
  });
});

/** Objects as s3rver has stored them. */
const earlier = (key: string, { content = key, md5 = "", headers = '{"content-type":"text/x"}' } = {}) => ({
  [`${key}._S3rver_object`]: content,
  [`${key}._S3rver_object.md5`]: md5,
  [`${key}._S3rver_metadata.json`]: headers,
});

describe("a folder of an earlier release after a kill", () => {
  it("is served although files of checksums and headers are empty", async () => {
    await bench.start({ ...earlier("a/1", { headers: "" }), ...earlier("a/2") });

    await bench.client.send(new HeadBucketCommand({ Bucket }));
    expect(await list()).toEqual(["a/1", "a/2"]);
    const first = await bench.fetch("/a/1");
    expect([await first.text(), first.headers.get("content-type")]).toEqual(["a/1", "binary/octet-stream"]);
    const md5 = createHash("md5").update("a/1").digest("hex");
    expect(first.headers.get("etag")).toBe(`"${md5}"`);
    expect((await bench.fetch("/a/2")).headers.get("content-type")).toBe("text/x");
    const headers = join(bench.folder, Bucket, "a/1._S3rver_metadata.json");
    expect(bench.reports).toEqual([
      `S3: ${headers} is damaged. The content type of ${Bucket}/a/1 is lost, its content is there. The file is now ${aside()[0]}.`,
    ]);
  });

  it("reports content that is lost", async () => {
    await bench.start({
      ...earlier("a/1", { content: "", md5: "0123456789abcdef0123456789abcdef" }),
      ...earlier("a/2"),
    });

    expect(await list()).toEqual(["a/2"]);
    expect(bench.reports).toHaveLength(1);
    expect(bench.reports[0]).toContain(`it is empty, and had content. The object ${Bucket}/a/1 is lost`);
    expect(readdirSync(join(bench.folder, Bucket, "a")).toSorted()).toEqual(
      Object.keys(earlier("2")).toSorted(),
    );
  });

  it("loses its unfinished files and uploads", async () => {
    await bench.start({
      ...earlier("a/1"),
      "a/1._S3rver_object.0a1b2c3d": "half",
      "b/2._S3rver_object.0a1b2c3d": "half",
      "._S3rver_uploads/77/key": "a/1",
    });

    expect(readdirSync(join(bench.folder, Bucket))).toEqual(["a"]);
    expect(readdirSync(join(bench.folder, Bucket, "a")).toSorted()).toEqual(
      Object.keys(earlier("1")).toSorted(),
    );
    expect(bench.reports).toEqual([]);
  });

  it("has one object of a key that is written again, and none of one that is deleted", async () => {
    await bench.start({ ...earlier("a/1"), ...earlier("a/2") });

    await put("a/1", "new");
    await bench.client.send(new DeleteObjectCommand({ Bucket, Key: "a/2" }));

    expect(await bench.get("a/1")).toBe("new");
    expect(await list()).toEqual(["a/1"]);
    expect(readdirSync(join(bench.folder, Bucket, "a"))).toEqual(["1.object"]);
  });
});
