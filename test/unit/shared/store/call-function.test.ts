import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { callFunction } from "../../../../functions/shared/store/base/call-function.ts";

let server: Server;
let requests: { readonly request: IncomingMessage; readonly body: string }[];
let statuses: number[];

beforeEach(async () => {
  requests = [];
  server = createServer(async (request, response) => {
    requests.push({ request, body: await text(request) });
    response.writeHead(statuses.shift() ?? 500).end("why");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  vi.stubEnv("AWS_ENDPOINT_URL_LAMBDA", `http://127.0.0.1:${port}`);
  vi.stubEnv("AWS_REGION", "eu-west-1");
  vi.stubEnv("AWS_ACCESS_KEY_ID", "id");
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", "secret");
  vi.stubEnv("SOCKETS_FUNCTION", "Lab-sockets-1");
});
afterEach(() => {
  vi.unstubAllEnvs();
  server.close();
  server.closeAllConnections();
});

const call = () => callFunction("SOCKETS_FUNCTION", { opened: ["c1"] });

test("asks Lambda, signed, to call the function without waiting for it", async () => {
  statuses = [202];
  await call();
  const [{ request, body }] = requests as [(typeof requests)[0]];
  expect([request.method, request.url, body]).toEqual([
    "POST",
    "/2015-03-31/functions/Lab-sockets-1/invocations",
    '{"opened":["c1"]}',
  ]);
  expect(request.headers).toMatchObject({
    "x-amz-invocation-type": "Event",
    authorization: expect.stringMatching(/^AWS4-HMAC-SHA256 Credential=id\/\d{8}\/eu-west-1\/lambda\//),
  });
});

test("asks again when Lambda is busy or fails", async () => {
  statuses = [429, 503, 202];
  await call();
  expect(requests).toHaveLength(3);
});

test("reports three failures as a store that is unavailable, with the last as its cause", async () => {
  statuses = [429, 500, 500];
  await expect(call()).rejects.toMatchObject({
    code: "store.unavailable",
    cause: { message: "Lambda answers 500 to the call of Lab-sockets-1: why" },
  });
  expect(requests).toHaveLength(3);
});

test("does not ask again when Lambda refuses", async () => {
  statuses = [403];
  await expect(call()).rejects.toThrow("Lambda answers 403 to the call of Lab-sockets-1: why");
  expect(requests).toHaveLength(1);
});

test("reports a server that cannot be reached, and a missing name", async () => {
  vi.stubEnv("AWS_ENDPOINT_URL_LAMBDA", "http://127.0.0.1:1");
  await expect(call()).rejects.toMatchObject({ code: "store.unavailable" });
  vi.stubEnv("SOCKETS_FUNCTION", "");
  await expect(call()).rejects.toThrow("SOCKETS_FUNCTION is not set");
});
