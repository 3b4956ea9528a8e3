import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { callCompute, open, readBytes } from "../../../../functions/shared/compute/call.ts";
import type { Peer } from "../../../../functions/shared/compute/peer.ts";

const resolved = vi.hoisted(() => ({ lookup: vi.fn() }));
vi.mock("node:dns/promises", () => resolved);

let server: Server;
let answer: RequestListener;
let peer: Peer;

beforeEach(async () => {
  vi.stubEnv("COMPUTE_LOOPBACK", "true");
  server = createServer((request, response) => answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  peer = { name: "lab-1", protocol: "http", host: "127.0.0.1", port: (server.address() as AddressInfo).port };
});

afterEach(() => {
  vi.unstubAllEnvs();
  resolved.lookup.mockReset();
  server.closeAllConnections();
  server.close();
});

const get = { method: "GET", path: "/capabilities" } as const;

describe("a call to a compute", () => {
  test("has the path, the body, and the stored credentials", async () => {
    const seen: unknown[] = [];
    answer = async ({ method, url, headers }, response) => {
      seen.push([method, url, headers.authorization, headers["content-type"]]);
      response.end("{}");
    };
    await callCompute(
      { ...peer, user: "admin", password: "pä:ss" },
      { method: "POST", path: "/projects", body: {} },
    );
    const credentials = Buffer.from("admin:pä:ss").toString("base64");
    expect(seen).toEqual([["POST", "/v2/compute/projects", `Basic ${credentials}`, "application/json"]]);
  });

  test("sends JSON, and bytes as they are", async () => {
    answer = async (request, response) => response.end(JSON.stringify({ got: await text(request) }));
    expect(await callCompute(peer, { method: "POST", path: "/a", body: { x: 1 } })).toEqual({
      got: '{"x":1}',
    });
    const bytes = await callCompute(peer, { method: "POST", path: "/a", body: Buffer.from("raw") });
    expect(bytes).toEqual({ got: "raw" });
  });

  test("returns {} for an empty response", async () => {
    answer = (_request, response) => response.writeHead(204).end();
    expect(await callCompute(peer, get)).toEqual({});
  });

  test("connects to the address that it has checked", async () => {
    answer = ({ headers }, response) => response.end(JSON.stringify(headers.host));
    resolved.lookup.mockResolvedValue([{ address: "127.0.0.1", family: 4 }]);
    expect(await callCompute({ ...peer, host: "lab.example" }, get)).toBe(`lab.example:${peer.port}`);
    expect(resolved.lookup).toHaveBeenCalledTimes(1);
  });

  test("tries each of several checked addresses", async () => {
    answer = (_request, response) => response.end('"here"');
    resolved.lookup.mockResolvedValue([
      { address: "::1", family: 6 },
      { address: "127.0.0.1", family: 4 },
    ]);
    expect(await callCompute({ ...peer, host: "lab.example" }, get)).toBe("here");
  });
});

describe("an answer that does not end well", () => {
  const trickle: RequestListener = (_request, response) => {
    response.write("[");
    const timer = setInterval(() => response.write("1,"), 10);
    response.once("close", () => clearInterval(timer));
  };

  test("is given up when it is not complete in twice the time for its head, however steadily it comes", async () => {
    answer = trickle;
    await expect(callCompute(peer, { ...get, timeoutMs: 100 })).rejects.toMatchObject({
      code: "compute.unreachable",
      message: expect.stringContaining("its response is not complete after 0.2 s"),
    });
  });

  test("is given up in a refusal, too, which is then reported without its words", async () => {
    answer = (request, response) => {
      response.statusCode = 409;
      trickle(request, response);
    };
    await expect(callCompute(peer, { ...get, timeoutMs: 100 })).rejects.toMatchObject({ status: 409 });
  });

  test("is refused when it is nested deeper than any answer; brackets in texts do not count", async () => {
    const nested = (levels: number) => "[".repeat(levels) + "]".repeat(levels);
    answer = (_request, response) => response.end(nested(65));
    await expect(callCompute(peer, get)).rejects.toThrow("its response is nested deeper than 64");
    answer = (_request, response) => response.end(nested(64));
    expect(JSON.stringify(await callCompute(peer, get))).toBe(nested(64));
    const text = `${"[{".repeat(99)}"\\`;
    answer = (_request, response) => response.end(JSON.stringify([text]));
    expect(await callCompute(peer, get)).toEqual([text]);
  });
});

describe("an address that the service does not call", () => {
  const called = () => {
    const calls: unknown[] = [];
    answer = (request, response) => {
      calls.push(request.url);
      response.end("{}");
    };
    return calls;
  };

  test.each(["127.0.0.1", "[::1]", "::ffff:127.0.0.1", "169.254.169.254"])("is refused: %s", async (host) => {
    vi.stubEnv("COMPUTE_LOOPBACK", "");
    const calls = called();
    await expect(callCompute({ ...peer, host }, get)).rejects.toMatchObject({
      code: "compute.address-refused",
    });
    expect(calls).toEqual([]);
  });

  test("is refused when a name has it among others", async () => {
    const calls = called();
    resolved.lookup.mockResolvedValue([
      { address: "127.0.0.1", family: 4 },
      { address: "169.254.169.254", family: 4 },
    ]);
    await expect(callCompute({ ...peer, host: "lab.example" }, get)).rejects.toMatchObject({
      code: "compute.address-refused",
      message: expect.stringContaining("169.254.169.254"),
    });
    expect(calls).toEqual([]);
  });

  test("is not reached by a redirect", async () => {
    answer = (_request, response) =>
      response.writeHead(302, { location: "http://169.254.169.254/latest/meta-data" }).end();
    await expect(callCompute(peer, get)).rejects.toMatchObject({ code: "compute.not-gns3" });
  });
});

describe("a compute that refuses", () => {
  test.each([
    [400, '{"message": "Invalid JSON"}', "compute.bad-request", "Bad request to compute lab-1: Invalid JSON"],
    [
      401,
      "",
      "compute.unauthorized",
      "Compute lab-1 does not accept the user and the password that are stored for it",
    ],
    [403, '{"message": "not yours"}', "compute.forbidden", "Compute lab-1: not yours"],
    [404, "", "compute.missing", "GET /capabilities not found on compute lab-1"],
    [409, '{"message": "Port 0 is in use"}', "compute.refused", "Compute lab-1: Port 0 is in use"],
    [
      409,
      '{"message": "The \'a.qcow2\' image is missing", "image": "a.qcow2", "exception": "ImageMissingError"}',
      "compute.image-missing",
      "The image a.qcow2 is missing on compute lab-1; upload it there",
    ],
    [
      409,
      '{"message": "QEMU disk image \'b.img\' is not accessible"}',
      "compute.image-missing",
      "The image b.img is missing on compute lab-1; upload it there",
    ],
    [500, "broken", "compute.refused", "Compute lab-1: it answers 500 broken"],
    [503, "", "compute.unreachable", expect.stringContaining("it answers 503")],
    [200, "<html>", "compute.not-gns3", expect.stringContaining("is not a GNS3 server")],
  ])("with %i %s", async (status, body, code, message) => {
    answer = (_request, response) => response.writeHead(status).end(body);
    await expect(callCompute(peer, get)).rejects.toMatchObject({ code, message });
  });
});

describe("a compute that is away", () => {
  const away = { code: "compute.unreachable", status: 503 };

  test("refuses connections", async () => {
    const port = peer.port;
    server.close();
    await expect(callCompute({ ...peer, port }, get)).rejects.toMatchObject(away);
  });

  test("has a name that does not resolve", async () => {
    resolved.lookup.mockRejectedValue(new Error("getaddrinfo ENOTFOUND lab.example"));
    await expect(callCompute({ ...peer, host: "lab.example" }, get)).rejects.toMatchObject(away);
  });

  test("hangs up before it answers", async () => {
    answer = (request) => request.socket.destroy();
    await expect(callCompute(peer, get)).rejects.toMatchObject(away);
  });

  test("does not begin to answer in time", async () => {
    answer = () => {};
    await expect(callCompute(peer, { ...get, timeoutMs: 20 })).rejects.toMatchObject({
      ...away,
      message: expect.stringContaining("no response in 0.02 s"),
    });
  });

  test("stops in the middle of its answer", async () => {
    answer = (_request, response) => response.write("{");
    await expect(callCompute(peer, { ...get, timeoutMs: 50 })).rejects.toMatchObject(away);
  });

  test("answers too much", async () => {
    answer = (_request, response) => response.end("x".repeat(100));
    await expect(readBytes(peer, { ...get, maxBytes: 99 })).rejects.toMatchObject({
      ...away,
      message: expect.stringContaining("longer than 99 bytes"),
    });
    expect(await readBytes(peer, { ...get, maxBytes: 100 })).toHaveLength(100);
  });
});

test("streams a response", async () => {
  answer = (_request, response) => response.end("packets");
  expect(await text(await open(peer, get))).toBe("packets");
});

test("ends a call that its caller gives up", async () => {
  answer = () => {};
  const giveUp = new AbortController();
  const called = callCompute(peer, { ...get, signal: giveUp.signal });
  giveUp.abort();
  await expect(called).rejects.toMatchObject({ code: "compute.unreachable" });
});
