import { once } from "node:events";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { PresignedUrls } from "../../../../infra/local/presigned.ts";

/** The endpoint that functions sign for; in this test, S3 listens at another one. */
const ENDPOINT = "http://127.0.0.1:9";
const TARGET = "/bucket/captures/a%20b.pcap?X-Amz-Expires=300&X-Amz-Signature=abc";

let s3: Server;
let gateway: Server;
let urls: PresignedUrls;
let address: string;
const asked: IncomingMessage[] = [];

const listen = async (server: Server): Promise<string> => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

beforeAll(async () => {
  s3 = createServer((request, response) => {
    asked.push(request);
    response.writeHead(206, { "content-range": "bytes 1-3/5" }).end("yte");
  });
  urls = new PresignedUrls(ENDPOINT, await listen(s3));
  gateway = createServer((request, response) => {
    if (!urls.serve(request, response)) response.writeHead(404).end();
  });
  address = await listen(gateway);
});

afterAll(() => {
  s3.close();
  gateway.close();
});

afterEach(() => vi.useRealTimers());

const publish = (location: string, headers: IncomingMessage["headers"] = { host: "lab:80" }) =>
  urls.publish({ location, "x-a": "b" }, { headers } as IncomingMessage);

describe("a presigned URL", () => {
  test("is served at the client's address after it was published, without the client's credentials", async () => {
    expect((await fetch(address + TARGET)).status).toBe(404);
    expect(publish(ENDPOINT + TARGET)).toEqual({ location: `http://lab:80${TARGET}`, "x-a": "b" });
    const response = await fetch(address + TARGET, {
      headers: { range: "bytes=1-3", authorization: "Basic YTpi" },
    });
    expect([response.status, response.headers.get("content-range"), await response.text()]).toEqual([
      206,
      "bytes 1-3/5",
      "yte",
    ]);
    const { url, headers } = asked.at(-1)!;
    expect([url, headers.range, headers.authorization]).toEqual([TARGET, "bytes=1-3", undefined]);
  });

  test("is relayed with HEAD for HEAD", async () => {
    publish(ENDPOINT + TARGET);
    const response = await fetch(address + TARGET, { method: "HEAD" });
    expect([response.status, response.headers.get("content-range"), await response.text()]).toEqual([
      206,
      "bytes 1-3/5",
      "",
    ]);
    expect(asked.at(-1)!.method).toBe("HEAD");
  });

  test("is served unchanged until it expires, and only for reading", async () => {
    publish(ENDPOINT + TARGET);
    expect((await fetch(`${address}${TARGET}d`)).status).toBe(404);
    expect((await fetch(address + TARGET, { method: "PUT", body: "x" })).status).toBe(404);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 300_001 });
    expect((await fetch(address + TARGET)).status).toBe(404);
  });

  test("has the address that the client used", () => {
    const at = (headers: IncomingMessage["headers"]) => publish(ENDPOINT + TARGET, headers).location;
    expect(at({ host: "lab.example", "x-forwarded-proto": "https" })).toBe(`https://lab.example${TARGET}`);
    expect(at({})).toBe(TARGET);
  });

  test("stays unchanged if it is not of S3", () => {
    for (const location of ["http://elsewhere/a?X-Amz-Expires=1", `${ENDPOINT}/a`, "/v2/docs"]) {
      expect(publish(location).location).toBe(location);
    }
  });
});

describe("a JSON document with presigned URLs", () => {
  const request = { headers: { host: "lab:80" } } as IncomingMessage;
  const other = '"name":"ö","other":"http://elsewhere/x?X-Amz-Expires=9"';
  const document = (url: string) => `{${other},"url":"${url}","h":"","end":"http`;

  test("gets the client's address in them, and they are served", async () => {
    const target = `${TARGET}1`;
    const json = urls.publishIn(Buffer.from(document(ENDPOINT + target)), request).toString();
    expect(json).toBe(document(`http://lab:80${target}`));
    expect((await fetch(address + target)).status).toBe(206);
  });

  test("gets it wherever the document is cut", async () => {
    const whole = Buffer.from(document(`${ENDPOINT + TARGET}2`));
    for (let at = 0; at <= whole.length; at++) {
      const stream = urls.publishing(request);
      stream.write(whole.subarray(0, at));
      stream.end(whole.subarray(at));
      expect(Buffer.concat(await stream.toArray()).toString(), `cut at ${at}`).toBe(
        document(`http://lab:80${TARGET}2`),
      );
    }
  });

  test("is sent on as it comes, up to the beginning of a URL", () => {
    const stream = urls.publishing(request);
    stream.write('{"a":1,"url":"http');
    expect(stream.read().toString()).toBe('{"a":1,"url":');
  });
});
