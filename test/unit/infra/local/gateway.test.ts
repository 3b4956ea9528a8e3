import { once } from "node:events";
import { rmSync } from "node:fs";
import { type IncomingMessage, request } from "node:http";
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Gateway, startGateway } from "../../../../infra/local/gateway.ts";
import { type LambdaPool, makeLambdaPool } from "../../../../infra/local/lambda-pool.ts";
import { type LocalTemplate, readTemplate } from "../../../../infra/local/template/template.ts";
import { HangingUp } from "../../../helpers/service/hang-up.ts";
import { settles } from "../../../helpers/settles.ts";
import { NOT_FOUND_RESPONSE, writeAssembly } from "./assembly.ts";

const ECHO = `
  export const handler = async (event) => ({
    statusCode: 200,
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(event),
  });`;

/** Returns the request's body as its result. */
const ANSWER = `
  export const handler = async (event) => JSON.parse(Buffer.from(event.body, "base64"));`;

const BYTES = `
  export const handler = async (event) => ({
    statusCode: 200,
    headers: { "content-type": "application/octet-stream" },
    body: event.body ?? "",
    isBase64Encoded: true,
  });`;

const LARGE = `
  export const handler = async () => ({ statusCode: 200, body: "x".repeat(6_291_556) });`;

const THROWING = `
  export const handler = async () => { throw new Error("thrown on purpose"); };`;

const HANGING = `
  export const handler = () => new Promise((resolve) => setTimeout(resolve, 1e8));`;

/** Dies on request, otherwise returns the number of its calls, which starts at one in a new worker. */
const CRASHING = `
  let calls = 0;
  export const handler = async (event) => {
    calls += 1;
    if (event.queryStringParameters?.die === "exit") process.exit(3);
    if (event.queryStringParameters?.die === "throw") {
      setImmediate(() => { throw new Error("uncaught on purpose"); });
      await new Promise(() => {});
    }
    return { statusCode: 200, body: String(calls) };
  };`;

/**
 * Streams the response that the query selects. The test starts each step with a second request, which another worker may
 * handle.
 */
const STREAMING = `
  import { once } from "node:events";
  import { readFileSync, writeFileSync } from "node:fs";
  import { Readable } from "node:stream";
  import { pipeline } from "node:stream/promises";
  const file = new URL("outcome", import.meta.url);
  const note = (outcome, written = 0) => writeFileSync(file, outcome + " " + written);
  const nudges = new BroadcastChannel(import.meta.url);
  const nudged = () => new Promise((resolve) => { nudges.onmessage = resolve; nudge = resolve; });
  let nudge = () => {};
  export const handler = awslambda.streamifyResponse(async (event, stream) => {
    const { mode } = event.queryStringParameters ?? {};
    const begin = (prelude) => awslambda.HttpResponseStream.from(stream, prelude);
    switch (mode) {
      case "nudge": { nudges.postMessage("go on"); nudge(); begin({ statusCode: 204 }).write(""); return stream.end(); }
      case "outcome": { const out = begin({ statusCode: 200 }); out.write(readFileSync(file)); return out.end(); }
      case "steps": {
        const out = begin({ statusCode: 201, headers: { "x-a": "b" }, cookies: ["a=1", "b=2"] });
        async function* steps() {
          for (const step of ["one", "two", "three"]) {
            yield step;
            await nudged();
          }
        }
        note("running");
        return pipeline(Readable.from(steps()), out).then(
          () => note("complete"),
          (error) => { note("broken off"); throw error; },
        );
      }
      case "long": {
        let mebibytes = 0;
        async function* blocks() { for (;;) { mebibytes += 1; yield Buffer.alloc(1048576, 7); } }
        note("running");
        return pipeline(Readable.from(blocks()), begin({ statusCode: 200 })).catch(() => note("broken off", mebibytes));
      }
      case "endless": {
        const out = begin({ statusCode: 200 });
        async function* blocks() {
          for (let written = 1; ; written++) { note("running", written); yield Buffer.alloc(65536, 7); }
        }
        return pipeline(Readable.from(blocks()), out).catch(() => note("broken off"));
      }
      case "late": {
        note("asked");
        await nudged();
        async function* steps() { for (;;) yield "step"; }
        return pipeline(Readable.from(steps()), begin({ statusCode: 200 }))
          .catch((error) => { note("broken off"); throw error; });
      }
      case "quiet": {
        const out = begin({ statusCode: 200 });
        note("running");
        out.write("begun");
        await once(out, "close").catch(() => {});
        note("broken off");
        return;
      }
      case "late-failure": {
        const out = begin({ statusCode: 200 });
        out.write("begun");
        await nudged();
        throw new Error("too late on purpose");
      }
      case "early-failure": throw new Error("early on purpose");
      case "empty": return begin({ statusCode: 304 }).end();
      case "bare": { stream.write("no prelude"); return stream.end(); }
      default: { begin({ statusCode: 404, headers: { "content-type": "text/plain" } }).write(""); stream.end(); }
    }
  });`;

const MOCK = {
  contentHandling: "CONVERT_TO_TEXT",
  passthroughBehavior: "never",
  requestTemplates: { "application/json": '{"statusCode": 410}' },
  responses: {
    default: {
      statusCode: "410",
      responseParameters: {
        "method.response.header.x-id": "context.requestId",
        "method.response.header.x-from": "'mock'",
      },
      responseTemplates: { "application/json": '{"gone":"$context.httpMethod"}' },
    },
  },
};
const MOCK_HEADERS = { 410: ["x-id", "x-from"] };

let folder: string;
let template: LocalTemplate;
let pool: LambdaPool;
let gateway: Gateway;
let url: string;
const logged: string[] = [];

beforeAll(async () => {
  folder = writeAssembly({
    functions: {
      Echo: { code: ECHO },
      Answer: { code: ANSWER },
      Bytes: { code: BYTES },
      Large: { code: LARGE },
      Throwing: { code: THROWING },
      Hanging: { code: HANGING, timeoutSeconds: 0.3 },
      Slow: { code: HANGING },
      Crashing: { code: CRASHING },
      Streaming: { code: STREAMING },
      Missing: { code: "export const other = 1;" },
    },
    methods: [
      { path: "/", target: "Echo" },
      { path: "/echo/{id}", target: "Echo" },
      { path: "/echo/{id}/{path+}", target: "Echo" },
      { path: "/only-get", target: "Echo", method: "GET" },
      { path: "/answer", target: "Answer" },
      { path: "/bytes", target: "Bytes" },
      { path: "/large", target: "Large" },
      { path: "/throwing", target: "Throwing" },
      { path: "/hanging", target: "Hanging" },
      { path: "/slow", target: "Slow", timeoutMs: 200 },
      { path: "/crashing", target: "Crashing" },
      { path: "/streaming", target: "Streaming", streaming: true },
      { path: "/mismatch", target: "Streaming" },
      { path: "/missing", target: "Missing" },
      { path: "/mock", mock: MOCK, headers: MOCK_HEADERS },
      { path: "/mock/binary", mock: { ...MOCK, contentHandling: undefined }, headers: MOCK_HEADERS },
    ],
    gatewayResponses: { MISSING_AUTHENTICATION_TOKEN: NOT_FOUND_RESPONSE },
  });
  template = readTemplate(folder);
  pool = makeLambdaPool(template.functions, { SHARED: "yes" }, (_level, line) => logged.push(line));
  gateway = await startGateway(template, pool, { host: "127.0.0.1", port: 0 });
  url = `http://127.0.0.1:${gateway.port}/v2`;
});

afterAll(async () => {
  await gateway.stop();
  await pool.stop();
  rmSync(folder, { recursive: true });
});

/** Sends the target unchanged, which `fetch` would normalize. */
function send(method: string, target: string, headers: readonly string[] = [], body?: Buffer) {
  return new Promise<{ status: number; headers: IncomingMessage["headers"]; text: string }>(
    (resolve, reject) => {
      const { port } = gateway;
      const outgoing = request({
        host: "127.0.0.1",
        port,
        method,
        path: target,
        headers: ["Host", "lab", ...headers],
      });
      outgoing.on("response", async (response) => {
        const text = Buffer.concat(await response.toArray()).toString();
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
      });
      outgoing.on("error", reject);
      outgoing.end(body);
    },
  );
}

describe("a request", () => {
  it("reaches the function as a complete proxy event", async () => {
    const response = await send(
      "POST",
      "/v2/echo/a%2Fb%20c?x=1&x=two+words&y=%C3%A9&flag",
      ["X-Custom", "One", "x-custom", "Two", "X-Forwarded-For", "10.0.0.9", "Content-Length", "2"],
      Buffer.from("{}"),
    );

    const event = JSON.parse(response.text);
    expect(event).toMatchObject({
      resource: "/echo/{id}",
      path: "/echo/a%2Fb%20c",
      httpMethod: "POST",
      headers: { Host: "lab", "X-Custom": "Two", "X-Forwarded-Proto": "http" },
      multiValueHeaders: { "X-Custom": ["One", "Two"], "X-Forwarded-For": ["10.0.0.9, 127.0.0.1"] },
      queryStringParameters: { x: "two words", y: "é", flag: "" },
      multiValueQueryStringParameters: { x: ["1", "two words"], y: ["é"], flag: [""] },
      pathParameters: { id: "a%2Fb%20c" },
      stageVariables: null,
      body: "e30=",
      isBase64Encoded: true,
      requestContext: {
        stage: "v2",
        path: "/v2/echo/a%2Fb%20c",
        resourcePath: "/echo/{id}",
        httpMethod: "POST",
        domainName: "lab",
        identity: { sourceIp: "127.0.0.1" },
      },
    });
    expect(event.requestContext.requestId).toBe(response.headers["x-amzn-requestid"]);
  });

  it.each(["/", "/v2", "/v2/"])("for %s reaches the root resource", async (target) => {
    expect(JSON.parse((await send("GET", target)).text).path).toBe("/");
  });

  it("without body, query and variables has null for each", async () => {
    const event = JSON.parse((await send("GET", "/v2")).text);

    expect(event).toMatchObject({
      path: "/",
      body: null,
      isBase64Encoded: false,
      queryStringParameters: null,
      multiValueQueryStringParameters: null,
      pathParameters: null,
    });
  });

  it.each(["/v2/echo/1/a//b", "/v2/echo/1/a/../b", "/v2/echo/1/a/./b/", "/v2/echo/1/%2e%2e/x"])(
    "with the path %s is not normalized",
    async (target) => {
      const event = JSON.parse((await send("GET", target)).text);

      expect(event.pathParameters.path).toBe(target.slice("/v2/echo/1/".length));
    },
  );

  it.each(["HEAD", "OPTIONS", "PATCH", "DELETE"])("with the method %s reaches ANY", async (method) => {
    expect((await send(method, "/v2/echo/1")).status).toBe(200);
  });

  it("transfers bytes to the function and back", async () => {
    const bytes = Uint8Array.from({ length: 100_000 }, (_, index) => (index * 7) % 256);

    const response = await fetch(`${url}/bytes`, { method: "POST", body: bytes });

    expect(new Uint8Array(await response.arrayBuffer())).toEqual(bytes);
  });

  it("may have the absolute form, which clients send to proxies", async () => {
    expect((await send("GET", "http://elsewhere/v2/echo/1")).status).toBe(200);
  });
});

describe("the gateway, without a function, returns", () => {
  it.each(["/v1/echo/1", "/v2//", "/v2/unknown", "/v2/echo", "/v2/echo/1/", "/v2/echo//", "/v2x", "*"])(
    "404 for the path %s",
    async (target) => {
      const response = await send("GET", target);

      expect(response).toMatchObject({ status: 404, headers: { "x-from": "gateway" } });
      expect(JSON.parse(response.text)).toMatchObject({ message: "No such route", status: 404 });
    },
  );

  it("404 for an unknown method of a resource", async () => {
    expect((await send("POST", "/v2/only-get")).status).toBe(404);
  });

  it.each(["/v2/unknown", "/v2/echo"])(
    "403 for the undeclared path %s with an Authorization header, which it parses as a signature and echoes",
    async (target) => {
      const { status, text } = await send("GET", target, ["Authorization", "Basic c2VjcmV0"]);

      expect(status).toBe(403);
      expect(JSON.parse(text)).toEqual({
        message:
          "'c2VjcmV0' not a valid key=value pair (missing equal-sign) in Authorization header: 'Basic c2VjcmV0'.",
      });
    },
  );

  it("the response of a mock integration, whatever JSON the request contains", async () => {
    for (const [method, headers, body] of [
      ["GET", [], undefined],
      ["PUT", ["Content-Type", "application/json; charset=utf-8"], Buffer.from("{")],
    ] as const) {
      const response = await send(method, "/v2/mock", headers, body);

      expect(response).toMatchObject({
        status: 410,
        headers: { "x-from": "mock", "content-type": "application/json" },
        text: JSON.stringify({ gone: method }),
      });
      expect(response.headers["x-id"]).toBe(response.headers["x-amzn-requestid"]);
    }
  });

  it("415 for a media type without a template in the mock integration", async () => {
    const response = await send("POST", "/v2/mock", ["Content-Type", "text/plain"], Buffer.from("x"));
    expect(response).toMatchObject({ status: 415, text: '{"message":"Unsupported Media Type"}' });
  });

  // https://github.com/squidfunk/terraform-aws-api-gateway-enable-cors/issues/10
  it("500 when a mock integration of an API with binary bodies does not convert them to text", async () => {
    expect((await send("GET", "/v2/mock/binary")).status).toBe(500);
  });

  it("413 for a large body, also with a mock integration", async () => {
    expect((await send("POST", "/v2/mock", [], Buffer.alloc(11 * 1024 * 1024))).status).toBe(413);
  });

  it("400 for a broken percent-escape in the query", async () => {
    expect((await send("GET", "/v2/echo/1?a=%zz")).status).toBe(400);
  });

  it.each([
    ["exceeds the gateway's limit", 11 * 1024 * 1024],
    ["exceeds the size of an event", 5 * 1024 * 1024],
  ])("413 for a body that %s, and the client can read the response", async (_title, size) => {
    const declared = await fetch(`${url}/bytes`, { method: "POST", body: new Uint8Array(size) });
    const chunked = await send("POST", "/v2/bytes", ["Transfer-Encoding", "chunked"], Buffer.alloc(size));

    expect([declared.status, chunked.status]).toEqual([413, 413]);
    expect(await declared.json()).toEqual({ message: "Request Too Large" });
  });

  it("504 when the integration times out", async () => {
    expect((await fetch(`${url}/slow`)).status).toBe(504);
  });
});

describe("a request that the HTTP parser rejects gets a JSON error", () => {
  const HEAD = "POST /v2/echo/1 HTTP/1.1\r\nHost: lab\r\n";
  let impatient: Gateway;

  beforeAll(async () => {
    impatient = await startGateway(template, pool, { host: "127.0.0.1", port: 0, receiveTimeoutMs: 500 });
  });
  afterAll(() => impatient.stop());

  /** Sends the text unchanged, and reads until the gateway closes the connection. */
  async function sendRaw(text: string) {
    const socket = connect(impatient.port, "127.0.0.1");
    socket.write(text);
    const [head, ...body] = Buffer.concat(await socket.toArray())
      .toString()
      .split("\r\n\r\n");
    return { head: head!, body: JSON.parse(body.join("")) };
  }

  it.each([
    [400, "not HTTP", "nonsense\r\n\r\n", /^The request is not valid HTTP\/1\.1: /],
    [400, "a header without a name", `${HEAD}: x\r\n\r\n`, /^The request is not valid HTTP\/1\.1: /],
    [400, "two lengths", `${HEAD}Content-Length: 1\r\nContent-Length: 2\r\n\r\n`, /Content-Length/],
    [400, "a broken chunk", `${HEAD}Transfer-Encoding: chunked\r\n\r\nzz\r\n`, /chunk/],
    [
      400,
      "no Host",
      "GET /v2/echo/1 HTTP/1.1\r\nConnection: close\r\n\r\n",
      /^The request has no Host header$/,
    ],
    [431, "endless headers", `${HEAD}X-Long: ${"x".repeat(20_000)}\r\n\r\n`, /larger than 16,384 bytes/],
    [408, "an incomplete body", `${HEAD}Content-Length: 5\r\n\r\n12`, /took too long to arrive/],
    [408, "incomplete headers", HEAD, /took too long to arrive/],
  ])("%i: %s", async (status, _what, text, message) => {
    const { head, body } = await sendRaw(text);

    expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} \\w`));
    expect(head).toMatch(/^content-type: application\/json$/im);
    expect(head).toMatch(/^x-amzn-requestid: [0-9a-f-]{36}$/im);
    expect(body).toEqual({
      code: expect.stringMatching(/^gateway\./),
      message: expect.stringMatching(message),
      status,
    });
  });

  it("also after a valid request on the same connection", async () => {
    const socket = connect(impatient.port, "127.0.0.1");
    socket.write(`${HEAD}Content-Length: 0\r\n\r\n`);
    await once(socket, "data");
    socket.write("nonsense\r\n\r\n");

    expect(Buffer.concat(await socket.toArray()).toString()).toMatch(/"status":400}$/);
  });

  it("but not while the response to an earlier request is incomplete", async () => {
    const socket = connect(impatient.port, "127.0.0.1");
    socket.write("GET /v2/streaming?mode=endless HTTP/1.1\r\nHost: lab\r\n\r\n");
    let received = "";
    socket.on("error", () => {}).on("data", (bytes) => (received += bytes));
    await once(socket, "data");
    socket.write("nonsense\r\n\r\n");
    await new Promise((resolve) => socket.once("close", resolve));

    expect(received.match(/HTTP\/1\.1 /g)).toHaveLength(1);
  });
});

describe("a function", () => {
  it("sets several headers of one name", async () => {
    const result = {
      statusCode: 201,
      headers: { "X-One": "1", "Set-Cookie": "a=1" },
      multiValueHeaders: { "set-cookie": ["b=2", "c=3"] },
      body: "made",
    };

    const response = await fetch(`${url}/answer`, { method: "POST", body: JSON.stringify(result) });

    expect(response.status).toBe(201);
    expect(response.headers.getSetCookie()).toEqual(["b=2", "c=3", "a=1"]);
    expect(response.headers.get("content-type")).toBe("application/json");
    expect(await response.text()).toBe("made");
  });

  it.each([
    ["nothing", null],
    ["text", "text"],
    ["no status", { body: "x" }],
    ["an invalid status", { statusCode: 99 }],
    ["an object as body", { statusCode: 200, body: {} }],
    ["a header with a line break", { statusCode: 200, headers: { "x-a": "b\r\nc: d" } }],
    ["invalid headers", { statusCode: 200, headers: "x" }],
    ["values that are not a list", { statusCode: 200, multiValueHeaders: { a: 1 } }],
  ])("that returns %s causes a 502", async (_title, result) => {
    const response = await fetch(`${url}/answer`, { method: "POST", body: JSON.stringify(result) });

    expect(response.status).toBe(502);
    expect(await response.json()).toEqual({ message: "Internal server error" });
  });

  it("that throws causes a 502 and a log line", async () => {
    expect((await fetch(`${url}/throwing`)).status).toBe(502);
    expect(logged.join("\n")).toContain("thrown on purpose");
  });

  it("that returns more than Lambda's limit causes a 502", async () => {
    expect((await fetch(`${url}/large`)).status).toBe(502);
  });

  it("that times out causes a 504", async () => {
    expect((await fetch(`${url}/hanging`)).status).toBe(504);
  });

  it.each(["exit", "throw"])("that dies (%s) causes a 502 and starts again", async (die) => {
    const before = await fetch(`${url}/crashing`);
    const dying = await fetch(`${url}/crashing?die=${die}`);
    const after = await fetch(`${url}/crashing`);

    expect([before.status, dying.status, after.status]).toEqual([200, 502, 200]);
    expect(await after.text()).toBe("1");
  });

  it("that cannot be loaded causes a 502", async () => {
    expect((await fetch(`${url}/missing`)).status).toBe(502);
    expect(logged.join("\n")).toContain("exports no handler");
  });
});

describe("a streaming function", () => {
  const nudge = () => fetch(`${url}/streaming?mode=nudge`);
  const outcome = async () => (await fetch(`${url}/streaming?mode=outcome`)).text();

  it("is cut off after 200 MB, as in Lambda", async () => {
    const response = await fetch(`${url}/streaming?mode=long`);
    await expect(response.arrayBuffer()).rejects.toThrow();
    await settles(async () => expect(await outcome()).toMatch(/^broken off/));
    const mebibytes = Number((await outcome()).split(" ").at(-1));
    // Buffers hold a few more.
    expect(mebibytes).toBeGreaterThan(200);
    expect(mebibytes).toBeLessThan(220);
  });

  it("sends each chunk when the function writes it", async () => {
    const response = await fetch(`${url}/streaming?mode=steps`);
    const reader = response.body!.getReader();
    const received: string[] = [];
    for (let step = 0; step < 3; step++) {
      const { value } = await reader.read();
      received.push(Buffer.from(value!).toString());
      await nudge();
    }
    const last = await reader.read();

    expect(received).toEqual(["one", "two", "three"]);
    expect(last.done).toBe(true);
    expect(response.status).toBe(201);
    expect(response.headers.get("x-a")).toBe("b");
    expect(response.headers.getSetCookie()).toEqual(["a=1", "b=2"]);
    expect(await outcome()).toMatch(/^complete/);
  });

  it("sees its stream destroyed when the client disconnects", async () => {
    const leaving = new AbortController();
    const response = await fetch(`${url}/streaming?mode=quiet`, { signal: leaving.signal });
    await response.body!.getReader().read();

    leaving.abort();

    await settles(async () => expect(await outcome()).toMatch(/^broken off/));
  });

  it("sees its stream destroyed when the client disconnects before the response begins", async () => {
    const client = await HangingUp.open(
      gateway.port,
      "GET /v2/streaming?mode=late HTTP/1.1\r\nHost: lab\r\n\r\n",
    );
    await settles(async () => expect(await outcome()).toMatch(/^asked/));
    await client.hangUp();

    await nudge();

    await settles(async () => expect(await outcome()).toMatch(/^broken off/));
  });

  it("waits for a client that does not read", async () => {
    const socket = connect(gateway.port, "127.0.0.1");
    await once(socket, "connect");
    socket.write("GET /v2/streaming?mode=endless HTTP/1.1\r\nHost: lab\r\n\r\n");
    await once(socket, "readable");
    const blocks = async () => Number((await outcome()).split(" ")[1]);

    let before = -1;
    const comesToRest = async () => {
      const last = before;
      before = await blocks();
      expect(before).toBe(last);
    };
    await settles(comesToRest, { interval: 200 });
    socket.destroy();

    await settles(async () => expect(await outcome()).toMatch(/^broken off/));
  });

  it("that fails during the response closes the connection", async () => {
    const response = await fetch(`${url}/streaming?mode=late-failure`);
    const reader = response.body!.getReader();
    await reader.read();

    await nudge();

    await expect(reader.read()).rejects.toThrow();
  });

  it.each(["early-failure", "empty", "bare"])("that sends no headers (%s) causes a 502", async (mode) => {
    expect((await fetch(`${url}/streaming?mode=${mode}`)).status).toBe(502);
  });

  it("may send an empty body", async () => {
    const response = await fetch(`${url}/streaming`);

    expect(response.status).toBe(404);
    expect(response.headers.get("content-type")).toBe("text/plain");
    expect(await response.text()).toBe("");
  });

  it("behind a method that does not stream causes a 502", async () => {
    expect((await fetch(`${url}/mismatch?mode=empty-prelude`)).status).toBe(502);
  });
});
