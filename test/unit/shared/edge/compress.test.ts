import { Readable } from "node:stream";
import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { compress } from "../../../../functions/shared/edge/http/compress.ts";
import type { ProxyResult } from "../../../../functions/shared/edge/http/response.ts";

const json = (length: number, headers: Record<string, string> = {}): ProxyResult => ({
  statusCode: 200,
  headers: { "content-type": "application/json", ...headers },
  body: Buffer.alloc(length, "a"),
});

test("JSON from 1,024 bytes up is compressed for clients that accept gzip, and unpacks to the same bytes", () => {
  const { headers, body } = compress(json(1024), "br, gzip;q=0.5");
  expect(headers).toEqual({
    "content-type": "application/json",
    "content-encoding": "gzip",
    vary: "accept-encoding",
  });
  expect(gunzipSync(body as Uint8Array)).toEqual(json(1024).body);
});

test.each([undefined, "", "br", "gzip;q=0", "identity"])(
  "for a client that accepts %j it is not, and caches learn that it varies",
  (accepted) => {
    const { headers, body } = compress(json(5000), accepted);
    expect(headers).toEqual({ "content-type": "application/json", vary: "accept-encoding" });
    expect(body).toEqual(json(5000).body);
  },
);

test("a smaller body, a stream, bytes of another type and bytes with a coding stay as they are", () => {
  const results: ProxyResult[] = [
    json(1023),
    { ...json(0), body: Readable.from(["x".repeat(5000)]) },
    json(5000, { "content-type": "application/vnd.tcpdump.pcap" }),
    json(5000, { "content-encoding": "br" }),
  ];
  for (const result of results) expect(compress(result, "gzip")).toBe(result);
});

test("the entity tag of the compressed bytes is a weak one", () => {
  expect(compress(json(2000, { etag: '"abc"' }), "gzip").headers.etag).toBe('W/"abc"');
  expect(compress(json(2000, { etag: '"abc"' }), undefined).headers.etag).toBe('"abc"');
});
