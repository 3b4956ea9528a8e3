/** The HTTP edge: requests that match no route, and input that must not cause a fault. */
import { connect } from "node:net";
import { gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { errorBody } from "../../functions/shared/schemas/common.ts";
import { addNode, client, freshName, makeLab, makePair, uuid } from "../helpers/service/lab.ts";
import { localStack } from "../helpers/stack/this-stack.ts";

test("HEAD of every GET route returns its status and headers, without a body", async () => {
  const pair = await makePair();
  await client.post(`${pair.link}/start_capture`, {});
  const [{ capture_id }] = (await client.get(`${pair.link}/captures`)).json;
  const own = `/projects/${pair.projectId}`;
  const paths = [
    "/version",
    "/docs",
    "/docs/swagger-ui.css",
    "/openapi.json",
    "/projects",
    own,
    `${own}/nodes`,
    pair.link,
    `${pair.link}/captures/${capture_id}/pcap`,
    "/symbols/:/symbols/classic/router.svg/raw",
    `/projects/${uuid()}`,
    "/projects/x",
    `${pair.link}/captures/${capture_id}/packets?limit=x`,
    "/nosuch",
  ];
  for (const path of paths) {
    const [get, head] = await Promise.all(["GET", "HEAD"].map((method) => exchange(method, path)));
    expect([path, head]).toEqual([path, { ...get, size: 0 }]);
    expect(get!.size).toBeGreaterThan(0);
  }
  // GET streams the capture until it stops.
  expect(await exchange("HEAD", `${pair.link}/pcap`)).toMatchObject({ status: 200, size: 0 });
  expect((await exchange("HEAD", `${pair.link}/replay`)).status).toBe(405);
});

/** Headers of one request or connection; fetch closes the connection after a HEAD. */
const PASSING = [
  "date",
  "x-request-id",
  "x-amzn-requestid",
  "transfer-encoding",
  "content-length",
  "connection",
  "keep-alive",
];

/** Status, the other headers, and the size of the body in bytes. */
async function exchange(method: string, path: string) {
  const response = await fetch(`${localStack().baseUrl}${path}`, { method });
  const headers = Object.fromEntries(response.headers);
  const { byteLength: size } = await response.arrayBuffer();
  for (const name of PASSING) delete headers[name];
  return { status: response.status, headers, size };
}

describe("errors", () => {
  test.each(["/nosuch", "/version/", "/projects/x/nosuch", "/symbols/raw", "/symbols//raw", "/symbols/x"])(
    "%s matches no route: 404",
    async (path) => {
      const { status, json } = await client.get(path);
      expect([status, json.status]).toEqual([404, 404]);
    },
  );

  test.each([
    ["GET", "/nosuch", {}],
    ["POST", "/", {}],
    ["DELETE", "", {}],
    ["GET", "/version/", {}],
    ["GET", "/projects/x/nosuch", {}],
    ["POST", "/nosuch", { raw: "{}", headers: { "content-type": "application/json" } }],
    ["PUT", "/nosuch/deep", { raw: "\u0000", headers: { "content-type": "application/vnd.tcpdump.pcap" } }],
    ["POST", "/nosuch", { raw: "x" }],
    ["DELETE", "/nosuch", {}],
    ["PATCH", "/nosuch", {}],
    ["OPTIONS", "/nosuch", {}],
  ] as const)(
    "%s %s with an Authorization header is 404 as without one, and does not echo the header",
    async (method, path, call) => {
      const headers = "headers" in call ? call.headers : {};
      const without = await client.call(method, path, call);
      const credentials = "c2VjcmV0OnBhc3N3b3Jk";
      for (const authorization of [`Basic ${credentials}`, `Bearer ${credentials}`, credentials]) {
        const answer = await client.call(method, path, { ...call, headers: { ...headers, authorization } });
        expect(answer.status).toBe(404);
        expect(answer.json).toEqual({ code: "route.not-found", message: "No such route", status: 404 });
        expect(answer.bytes).toEqual(without.bytes);
        expect(JSON.stringify(answer.headers)).not.toContain(credentials);
        expect(answer.headers).toMatchObject({
          "content-type": "application/json",
          "cache-control": "no-store",
          "x-content-type-options": "nosniff",
          "x-request-id": answer.headers["x-amzn-requestid"],
        });
      }
    },
  );

  test.each([
    ["PATCH", "/version", "GET, HEAD, POST"],
    ["DELETE", "/projects", "GET, HEAD, POST"],
    ["POST", `/projects/${uuid()}`, "GET, HEAD, PUT, DELETE"],
    ["PUT", "/symbols/x.svg/raw", "GET, HEAD, POST, DELETE"],
    ["GET", `/projects/${uuid()}/links/${uuid()}/replay`, "POST"],
  ])("%s %s is 405 and lists the allowed methods", async (method, path, allow) => {
    const { status, headers } = await client.call(method, path);
    expect([status, headers.allow]).toEqual([405, allow]);
  });

  test.each([
    "{",
    "nul",
    '{"a":1,}',
    "\u0000",
    '{"name": "\\ud800"}',
    `${"[".repeat(100_000)}${"]".repeat(100_000)}`,
  ])("a body that is not JSON is 400", async (raw) => {
    const { status, json } = await client.call("POST", "/projects", { raw });
    expect(status).toBe(400);
    expect(json.message).toMatch(/^Invalid JSON: /);
  });

  test("a body that is not UTF-8 is 400", async () => {
    const raw = Buffer.concat([Buffer.from('{"name": "'), Buffer.from([0xff, 0xfe]), Buffer.from('"}')]);
    expect((await client.call("POST", "/projects", { raw })).status).toBe(400);
  });

  test.each(["[]", '"x"', "null", "5"])("a body of %s, which is not an object, is 400", async (raw) => {
    expect((await client.call("POST", "/projects", { raw })).status).toBe(400);
  });

  test("a body over the limit is 413, before any other check of the body", async () => {
    const raw = `{"name": "${"x".repeat(1_048_577)}`;
    expect((await client.call("POST", "/projects", { raw })).status).toBe(413);
    expect((await client.call("POST", "/projects", { raw: Buffer.alloc(12_000_000, "x") })).status).toBe(413);
  });

  test("an invalid body on an unknown project is 400: the request is validated before the project is read", async () => {
    const { status, json } = await client.post(`/projects/${uuid()}/nodes`, { nosuch: 1 });
    expect(status).toBe(400);
    expect(json.errors.length).toBeGreaterThan(1);
  });

  test.each([
    [
      403,
      "a Host that is not this machine",
      "GET /v2/version HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n",
    ],
    [400, "no HTTP", "nonsense\r\n\r\n"],
  ])("%i for %s has the shape of all errors", async (status, _what, request) => {
    const { hostname, port } = new URL(localStack().url);
    const socket = connect(Number(port), hostname);
    socket.write(request);
    const [head, body] = Buffer.concat(await socket.toArray())
      .toString()
      .split("\r\n\r\n");
    expect(errorBody.parse(JSON.parse(body!))).toEqual({
      code: expect.any(String),
      status,
      message: expect.any(String),
    });
    for (const header of ["x-request-id: [0-9a-f-]{36}", "x-content-type-options: nosniff"]) {
      expect(head).toMatch(new RegExp(`^${header}\r?$`, "im"));
    }
  });

  test("every response has its own request id, including the gateway's errors", async () => {
    const calls = [
      client.get("/version"),
      client.get(`/projects/${uuid()}`),
      client.get("/nosuch"),
      client.call("POST", "/projects", { raw: "{" }),
      client.call("POST", "/projects", { raw: Buffer.alloc(12_000_000, "x") }),
      client.get("/version", { headers: { "x-request-id": "mine" } }),
    ];
    const ids = (await Promise.all(calls)).map(({ headers }) => headers["x-request-id"]);
    for (const id of ids) expect(id).toMatch(/^[0-9a-f-]{36}$/);
    expect(new Set(ids).size).toBe(calls.length);
  });

  test("every response forbids content sniffing, framing and caching", async () => {
    for (const path of ["/computes", "/projects", `/projects/${uuid()}`, "/nosuch"]) {
      const { headers } = await client.get(path);
      expect(headers).toMatchObject({
        "x-content-type-options": "nosniff",
        "x-frame-options": "DENY",
        "cache-control": "no-store",
      });
    }
  });
});

test.each(["", "x"])(
  "characters beyond the BMP stay whole after %j, in a response of many chunks",
  async (before) => {
    const value = "😀".repeat(2_000);
    const variables = Array.from({ length: 5 }, (_, index) => ({ name: `${before}${index}`, value }));
    const { json } = await client.post("/projects", { name: freshName(), variables });
    expect((await client.get(`/projects/${json.project_id}`)).json.variables).toEqual(variables);
  },
);

describe("responses that are the same for every caller", () => {
  test.each([
    ["/version", "application/json"],
    ["/openapi.json", "application/json"],
    ["/docs", "text/html; charset=utf-8"],
    ["/docs/swagger-ui.css", "text/css; charset=utf-8"],
  ])(
    "%s may be cached for five minutes, and is not sent again to a client that has it",
    async (path, type) => {
      const first = await client.get(path);
      const { etag } = first.headers as { etag: string };
      expect(first.status).toBe(200);
      expect(etag).toMatch(/^"[\w-]{43}"$/);
      expect(first.headers).toMatchObject({
        "content-type": type,
        "cache-control": "public, max-age=300",
        "x-content-type-options": "nosniff",
      });

      for (const named of [etag, `W/${etag}`, `"other", ${etag}`]) {
        const again = await client.get(path, { headers: { "if-none-match": named } });
        expect([again.status, again.bytes.length]).toEqual([304, 0]);
        expect(again.headers).toMatchObject({ etag, "cache-control": "public, max-age=300" });
      }

      const changed = await client.get(path, { headers: { "if-none-match": '"of an earlier version"' } });
      expect([changed.status, changed.headers.etag]).toEqual([200, etag]);
      expect(changed.bytes).toEqual(first.bytes);
    },
  );

  test("an error on such a path may not be cached", async () => {
    const { status, headers } = await client.call("DELETE", "/version");
    expect([status, headers["cache-control"], headers.etag]).toEqual([405, "no-store", undefined]);
  });
});

describe("a value that is too large for the store is 413, and any stored value can be listed", () => {
  test("a project with many long variables", async () => {
    const variables = Array.from({ length: 120 }, () => ({ name: "n", value: "x".repeat(4096) }));
    expect((await client.post("/projects", { name: freshName(), variables })).status).toBe(413);
    const pair = await makePair();
    expect((await client.put(pair.path, { variables })).status).toBe(413);
    expect((await client.get(pair.path)).json.variables).toBeNull();
  });

  test("a node with many adapters", async () => {
    const { path, first } = await makePair();
    const custom_adapters = Array.from({ length: 256 }, (_, adapter_number) => ({
      adapter_number,
      port_name: "\u0001".repeat(255),
    }));
    const node = { name: "PC", node_type: "vpcs", compute_id: "local", custom_adapters };
    expect((await client.post(`${path}/nodes`, node)).status).toBe(413);
    expect((await client.put(`${path}/nodes/${first}`, { custom_adapters })).status).toBe(413);
  });

  test("lists of more than six megabytes", async () => {
    const { path } = await makePair();
    const ports_mapping = Array.from({ length: 256 }, (_, port_number) => ({
      name: `${port_number} ${"p".repeat(80)}`,
      port_number,
    }));
    const hub = { name: "H", node_type: "ethernet_hub", compute_id: "local", properties: { ports_mapping } };
    for (let index = 0; index < 110; index += 10) {
      await Promise.all(Array.from({ length: 10 }, () => client.post(`${path}/nodes`, hub)));
    }
    const { status, bytes, json } = await client.get(`${path}/nodes`);
    expect(status).toBe(200);
    expect(bytes.length).toBeGreaterThan(6_300_000);
    expect(json).toHaveLength(112);
    await client.delete(path);
  });
});

test("a long list is compressed for clients that accept gzip, and the same without", async () => {
  const lab = await makeLab();
  for (let index = 0; index < 3; index++) await addNode(lab);
  const path = `${lab.path}/nodes`;
  const plain = await client.get(path);
  const packed = await client.get(path, { headers: { "accept-encoding": "gzip" } });
  expect(plain.headers).not.toHaveProperty("content-encoding");
  expect([packed.headers["content-encoding"], packed.headers.vary]).toEqual(["gzip", "accept-encoding"]);
  expect(packed.bytes.length).toBeLessThan(plain.bytes.length / 2);
  expect(JSON.parse(gunzipSync(packed.bytes).toString())).toEqual(plain.json);
});

test("a cached compressed document is revalidated by its tag", async () => {
  const headers = { "accept-encoding": "gzip" };
  const { headers: head } = await client.get("/openapi.json", { headers });
  expect([head["content-encoding"], head.etag]).toEqual(["gzip", expect.stringMatching(/^W\/"/)]);
  const again = await client.get("/openapi.json", {
    headers: { ...headers, "if-none-match": String(head.etag) },
  });
  expect([again.status, again.bytes.length]).toEqual([304, 0]);
});
