/** Calls the handler of a group as Lambda does, with the runtime's stream replaced by one that collects the response. */
import { PassThrough, Readable } from "node:stream";
import type { APIGatewayProxyEvent, Context } from "aws-lambda";
import { afterEach, describe, expect, test, vi } from "vitest";
import * as z from "zod/mini";
import { failure } from "../../../../functions/shared/edge/errors.ts";
import type { Operations } from "../../../../functions/shared/edge/operation.ts";
import { defineGroup } from "../../../../functions/shared/edge/route.ts";

vi.stubGlobal("awslambda", {
  streamifyResponse: (handler: unknown) => handler,
  HttpResponseStream: {
    from: (stream: PassThrough & { head?: unknown }, head: unknown) => Object.assign(stream, { head }),
  },
});
const { bind } = await import("../../../../functions/shared/edge/bind.ts");
const { count } = await import("../../../../functions/shared/edge/metrics.ts");

const group = defineGroup({
  name: "things",
  description: "d",
  routes: {
    read: {
      method: "GET",
      path: "/things",
      summary: "s",
      query: z.object({ size: z.optional(z.coerce.number()) }),
      responses: { 200: { description: "d", schema: z.object({ size: z.number() }) } },
      errors: [],
    },
    send: {
      method: "POST",
      path: "/things",
      summary: "s",
      body: { kind: "raw", maxBytes: 4, contentType: "application/octet-stream" },
      responses: { 200: { description: "d", contentType: "application/octet-stream" } },
      errors: [],
    },
    remove: {
      method: "DELETE",
      path: "/things",
      summary: "s",
      responses: { 204: { description: "d" } },
      errors: ["project.not-found"],
    },
  },
});

type Call = (event: APIGatewayProxyEvent, stream: PassThrough, context: Context) => Promise<void>;

async function invoke(
  operations: Partial<Operations<typeof group>>,
  event: Partial<APIGatewayProxyEvent>,
  remainingMs = 5000,
) {
  const stream = new PassThrough() as PassThrough & {
    head: { statusCode: number; headers: Record<string, string> };
  };
  const handler = bind(group, operations as Operations<typeof group>) as unknown as Call;
  const whole = {
    resource: "/things",
    path: "/things",
    headers: { "X-Forwarded-Proto": "http", "X-Forwarded-Port": "3080" },
    body: null,
    isBase64Encoded: true,
    requestContext: { requestId: "request-1", domainName: "127.0.0.1:3080" },
    ...event,
  } as unknown as APIGatewayProxyEvent;
  await handler(whole, stream, { getRemainingTimeInMillis: () => remainingMs } as Context);
  return { ...stream.head, body: Buffer.concat(await stream.toArray()).toString() };
}

const base64 = (text: string): string => Buffer.from(text).toString("base64");

// biome-ignore lint/suspicious/noExplicitAny: a line has the fields that its test reads
type Line = Record<string, any>;

/** Collects all further lines of the log, faults included. */
function listen(): Line[] {
  const lines: Line[] = [];
  for (const output of [process.stdout, process.stderr]) {
    vi.spyOn(output, "write").mockImplementation((text) => {
      lines.push(JSON.parse(String(text)));
      return true;
    });
  }
  return lines;
}

afterEach(() => vi.restoreAllMocks());

describe("a bound group", () => {
  test("passes the parsed request to the operation, and returns JSON", async () => {
    const answer = await invoke(
      {
        read: async ({ query, origin }) => {
          expect(origin).toEqual({ protocol: "http", host: "127.0.0.1", port: 3080 });
          return { status: 200, body: { size: query.size ?? 0 } };
        },
      },
      { httpMethod: "GET", queryStringParameters: { size: "7" } },
    );
    expect(answer).toMatchObject({ statusCode: 200, body: '{"size":7}' });
    expect(answer.headers).toMatchObject({
      "content-type": "application/json",
      "x-content-type-options": "nosniff",
      "cache-control": "no-store",
    });
  });

  test("accepts bytes and returns bytes", async () => {
    const send = async ({ body }: { body: Uint8Array }) => ({
      status: 200 as const,
      body: body.toReversed(),
    });
    const answer = await invoke({ send }, { httpMethod: "POST", body: base64("abcd") });
    expect(answer).toMatchObject({ statusCode: 200, body: "dcba" });
    expect(answer.headers["content-type"]).toBe("application/octet-stream");
  });

  test("returns no body if none is declared", async () => {
    const answer = await invoke({ remove: async () => ({ status: 204 }) }, { httpMethod: "DELETE" });
    expect(answer).toMatchObject({ statusCode: 204, body: "" });
    expect(answer.headers["content-type"]).toBeUndefined();
  });

  test("answers HEAD as GET, without the body", async () => {
    const read = async () => ({ status: 200 as const, body: { size: 7 }, headers: { "x-size": "7" } });
    const get = await invoke({ read }, { httpMethod: "GET" });
    const head = await invoke({ read }, { httpMethod: "HEAD" });
    expect(get.body).toBe('{"size":7}');
    expect(head).toEqual({ ...get, body: "" });
    const invalid = { queryStringParameters: { size: "x" } };
    const refused = await invoke({}, { httpMethod: "GET", ...invalid });
    expect(refused.statusCode).toBe(400);
    expect(await invoke({}, { httpMethod: "HEAD", ...invalid })).toEqual({ ...refused, body: "" });
  });

  test("reports HEAD to the operation, and closes the body that it streams", async () => {
    const body = new Readable({ read() {} });
    const read = async ({ headOnly }: { headOnly?: boolean }) => {
      expect(headOnly).toBe(true);
      return { status: 200, body } as never;
    };
    expect(await invoke({ read }, { httpMethod: "HEAD" })).toMatchObject({ statusCode: 200, body: "" });
    expect(body.destroyed).toBe(true);
  });

  test("rejects requests that are too large, invalid, not allowed or unknown, without calling the operation", async () => {
    expect(await invoke({}, { httpMethod: "POST", body: base64("abcde") })).toMatchObject({
      statusCode: 413,
    });
    expect(await invoke({}, { httpMethod: "GET", queryStringParameters: { size: "x" } })).toMatchObject({
      statusCode: 400,
      body: expect.stringContaining('"path":"query.size"'),
    });
    expect(await invoke({}, { httpMethod: "PUT" })).toMatchObject({
      statusCode: 405,
      headers: { allow: "GET, HEAD, POST, DELETE" },
    });
    expect(await invoke({}, { httpMethod: "GET", resource: "/other" })).toMatchObject({ statusCode: 404 });
  });

  test("refuses callers without the route's role before it reads the body, and passes the access to the operation", async () => {
    const asked: unknown[] = [];
    const send = async ({ access }: { access: unknown }) => {
      asked.push(access);
      return { status: 200 as const, body: new Uint8Array() };
    };
    const as = (role: string, body: string) =>
      invoke({ send }, {
        httpMethod: "POST",
        body: base64(body),
        requestContext: { requestId: "r", authorizer: { user: "ann", role } },
      } as never);
    expect(await as("viewer", "too long")).toMatchObject({
      statusCode: 403,
      body: '{"code":"access.role","message":"This takes the role editor; yours is viewer","status":403}',
    });
    expect(await as("editor", "abcd")).toMatchObject({ statusCode: 200 });
    expect(asked).toEqual([{ caller: { name: "ann", role: "editor" }, needed: "editor" }]);
  });

  test("responds with the operation's own errors", async () => {
    const remove = () => Promise.reject(failure("project.not-found", { project_id: "p" }));
    expect(await invoke({ remove }, { httpMethod: "DELETE" })).toMatchObject({
      statusCode: 404,
      body: '{"code":"project.not-found","message":"Project ID p doesn\'t exist","status":404}',
    });
  });

  test("asks the client to retry when the store is busy", async () => {
    const remove = () => Promise.reject(failure("store.busy"));
    const answer = await invoke({ remove }, { httpMethod: "DELETE" });
    expect(answer).toMatchObject({ statusCode: 503, headers: { "retry-after": "1" } });
  });

  test("logs the cause of an error that the client may retry", async () => {
    const lines = listen();
    const cause = new Error("the table is slow");
    const remove = () => Promise.reject(failure("store.unavailable", {}, { cause }));
    const answer = await invoke({ remove }, { httpMethod: "DELETE" });
    expect(answer).toMatchObject({ statusCode: 503, headers: { "retry-after": "1" } });
    expect(answer.body).not.toContain("slow");
    const faults = lines.filter(({ level }) => level === "ERROR");
    expect(faults).toHaveLength(1);
    expect(JSON.stringify(faults[0]!.error)).toContain("the table is slow");
  });

  test("asks the client to retry when the function's time is over", async () => {
    const remove = () => new Promise<never>(() => {});
    const answer = await invoke({ remove }, { httpMethod: "DELETE" }, 260);
    expect(answer).toMatchObject({ statusCode: 503, headers: { "retry-after": "1" } });
  });

  test("reports a fault of the service only by its request id, and logs the cause once", async () => {
    const lines = listen();
    const remove = () => Promise.reject(new Error("secret table name", { cause: new Error("deeper") }));
    const answer = await invoke({ remove }, { httpMethod: "DELETE" });
    expect(answer).toMatchObject({
      statusCode: 500,
      body: '{"code":"internal","message":"Internal server error","status":500,"request_id":"request-1"}',
    });
    const faults = lines.filter(({ level }) => level === "ERROR");
    expect(faults).toHaveLength(1);
    expect(faults[0]).toMatchObject({ correlation_id: "request-1", route: "things.remove" });
    expect(JSON.stringify(faults[0]!.error)).toMatch(/secret table name.*bind\.test.*deeper/);
  });
});

describe("the log line of a request", () => {
  const done = async () => ({ status: 204 as const });

  test("has the route, the status, the duration and the caller", async () => {
    const lines = listen();
    const authorizer = { principalId: "ann", user: "ann", role: "editor" };
    const requestContext = { requestId: "request-2", authorizer };
    await invoke({ remove: done }, { httpMethod: "DELETE", requestContext } as never);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatchObject({
      level: "INFO",
      message: "request",
      correlation_id: "request-2",
      Route: "things.remove",
      method: "DELETE",
      path: "/things",
      status: 204,
      caller: "ann",
      Requests: 1,
      Duration: expect.any(Number),
    });
    expect(lines[0]).not.toHaveProperty("Errors");
  });

  test("has the response's id, also for errors", async () => {
    const lines = listen();
    const remove = () => Promise.reject(failure("store.busy"));
    for (const operations of [{ remove: done }, { remove }]) {
      const { headers } = await invoke(operations, { httpMethod: "DELETE" });
      expect(headers["x-request-id"]).toBe("request-1");
    }
    expect(lines.map(({ status, Errors }) => [status, Errors])).toEqual([
      [204, undefined],
      [503, 1],
    ]);
  });

  test("counts a rejected request under its route, and an unknown route under none", async () => {
    const lines = listen();
    await invoke({}, { httpMethod: "POST", body: base64("abcde") });
    await invoke({}, { httpMethod: "PUT" });
    expect(lines.map(({ Route, status }) => [Route, status])).toEqual([
      ["things.send", 413],
      ["none", 405],
    ]);
  });

  test("has the counts of its own request, and none of a concurrent one", async () => {
    const lines = listen();
    const other = Promise.withResolvers<void>();
    const send = async () => {
      count("Packets", 5);
      await other.promise;
      count("Packets", 2);
      return { status: 200 as const, body: new Uint8Array() };
    };
    const remove = async () => {
      count("Packets", 100);
      return { status: 204 as const };
    };
    const sending = invoke({ send }, { httpMethod: "POST" });
    await invoke({ remove }, { httpMethod: "DELETE" });
    other.resolve();
    await sending;
    expect(lines.map(({ Route, Packets }) => [Route, Packets])).toEqual([
      ["things.remove", 100],
      ["things.send", 7],
    ]);
  });

  test("turns its numbers into metrics: requests and errors by route, all others for the service", async () => {
    const lines = listen();
    await invoke({ remove: () => Promise.reject(new Error("x")) }, { httpMethod: "DELETE" });
    const { _aws: embedded } = lines.find(({ message }) => message === "request")!;
    expect(embedded).toEqual({
      Timestamp: expect.any(Number),
      CloudWatchMetrics: [
        {
          Namespace: "Wirelab",
          Dimensions: [["Route"]],
          Metrics: [
            { Name: "Requests", Unit: "Count" },
            { Name: "Errors", Unit: "Count" },
          ],
        },
        {
          Namespace: "Wirelab",
          Dimensions: [[]],
          Metrics: [
            { Name: "Errors", Unit: "Count" },
            { Name: "Duration", Unit: "Milliseconds" },
          ],
        },
      ],
    });
  });

  test("follows a fault in the middle of a stream, and counts it", async () => {
    const lines = listen();
    const broken = async function* () {
      yield Buffer.from("a");
      throw new Error("lost the rest");
    };
    const send = async () => ({ status: 200 as const, body: Readable.from(broken()) });
    await expect(invoke({ send }, { httpMethod: "POST" })).rejects.toThrow("lost the rest");
    expect(lines.map(({ message, Errors }) => [message, Errors])).toEqual([
      ["fault", undefined],
      ["request", 1],
    ]);
  });
});
