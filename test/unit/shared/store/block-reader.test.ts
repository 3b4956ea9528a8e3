/** Reads an object from a local server. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";

const OBJECT = Uint8Array.from({ length: 1000 }, (_, i) => i % 251);
let ranges: string[] = [];
let server: Server;
let BlockReader: typeof import("../../../../functions/shared/store/base/block-reader.ts").BlockReader;

beforeAll(async () => {
  server = createServer((request, response) => {
    if (!request.url!.includes("/there")) {
      response.writeHead(404, { "content-type": "application/xml" });
      return response.end("<Error><Code>NoSuchKey</Code></Error>");
    }
    const range = String(request.headers.range);
    ranges.push(range);
    const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(range)!;
    if (Number(first) >= OBJECT.length) {
      response.writeHead(416, { "content-type": "application/xml" });
      return response.end("<Error><Code>InvalidRange</Code></Error>");
    }
    response.writeHead(206);
    return response.end(OBJECT.subarray(Number(first), Number(last) + 1));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  Object.assign(process.env, {
    AWS_REGION: "us-east-1",
    AWS_ACCESS_KEY_ID: "a",
    AWS_SECRET_ACCESS_KEY: "b",
    AWS_ENDPOINT_URL_S3: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    BUCKET_NAME: "bucket",
  });
  ({ BlockReader } = await import("../../../../functions/shared/store/base/block-reader.ts"));
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

beforeEach(() => {
  ranges = [];
});

async function all(pieces: AsyncIterable<Uint8Array | undefined>): Promise<(Uint8Array | undefined)[]> {
  const found: (Uint8Array | undefined)[] = [];
  for await (const piece of pieces) found.push(piece);
  return found;
}

async function read(
  reader: InstanceType<typeof BlockReader>,
  offset?: number,
  end?: number,
): Promise<Uint8Array> {
  const parts = await all(reader.read("there", offset, end));
  return Buffer.concat(parts.map((part) => part!));
}

test.each([
  [0, 1000],
  [0, 100],
  [99, 101],
  [100, 200],
  [250, 250],
  [999, 1000],
])("returns the bytes from %i to %i", async (offset, end) => {
  expect(await read(new BlockReader(100, 2), offset, end)).toEqual(Buffer.from(OBJECT.subarray(offset, end)));
});

test.each([100, 300, 1000, 5000])("in blocks of %i bytes returns the whole object", async (blockBytes) => {
  expect(await read(new BlockReader(blockBytes, 2))).toEqual(Buffer.from(OBJECT));
  expect(await read(new BlockReader(blockBytes, 2), 777)).toEqual(Buffer.from(OBJECT.subarray(777)));
});

test("concurrent reads of parts of a block fetch it once", async () => {
  const reader = new BlockReader(500, 2);
  const parts = await Promise.all(Array.from({ length: 100 }, (_, i) => read(reader, 10 * i, 10 * i + 10)));
  expect(Buffer.concat(parts)).toEqual(Buffer.from(OBJECT));
  expect(ranges.toSorted()).toEqual(["bytes=0-499", "bytes=500-999"]);
});

test("caches only the given number of blocks, the most recently used", async () => {
  const reader = new BlockReader(100, 2);
  for (const at of [0, 100, 0, 200, 0, 100]) await read(reader, at, at + 1);
  expect(ranges).toEqual(["bytes=0-99", "bytes=100-199", "bytes=200-299", "bytes=100-199"]);
});

test("reports a missing object", async () => {
  expect(await all(new BlockReader(100, 2).read("gone", 0, 10))).toEqual([undefined]);
});
