/** The handler of a group as Lambda calls it, with the runtime's stream replaced by one that keeps what it gets. */
import { PassThrough } from "node:stream";
import type { APIGatewayProxyEvent, Context } from "aws-lambda";
import { afterEach, describe, expect, test, vi } from "vitest";
import * as z from "zod";
import { failure } from "../../../functions/api/errors.ts";
import type { Operations } from "../../../functions/api/operation.ts";
import { defineGroup } from "../../../functions/api/route.ts";

vi.stubGlobal("awslambda", {
  streamifyResponse: (handler: unknown) => handler,
  HttpResponseStream: {
    from: (stream: PassThrough & { head?: unknown }, head: unknown) => Object.assign(stream, { head }),
  },
});
const { bind } = await import("../../../functions/api/bind.ts");

const group = defineGroup({
  name: "things",
  description: "d",
  routes: {
    read: {
      method: "GET",
      path: "/things",
      summary: "s",
      query: z.object({ size: z.coerce.number().int().optional() }),
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

async function invoke(operations: Partial<Operations<typeof group>>, event: Partial<APIGatewayProxyEvent>) {
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
  await handler(whole, stream, { getRemainingTimeInMillis: () => 5000 } as Context);
  return { ...stream.head, body: Buffer.concat(await stream.toArray()).toString() };
}

const base64 = (text: string): string => Buffer.from(text).toString("base64");

afterEach(() => vi.restoreAllMocks());

describe("a bound group", () => {
  test("gives the operation what was parsed, and answers JSON", async () => {
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
    });
  });

  test("takes bytes and answers bytes", async () => {
    const send = async ({ body }: { body: Uint8Array }) => ({
      status: 200 as const,
      body: body.toReversed(),
    });
    const answer = await invoke({ send }, { httpMethod: "POST", body: base64("abcd") });
    expect(answer).toMatchObject({ statusCode: 200, body: "dcba" });
    expect(answer.headers["content-type"]).toBe("application/octet-stream");
  });

  test("answers nothing where nothing is declared", async () => {
    const answer = await invoke({ remove: async () => ({ status: 204 }) }, { httpMethod: "DELETE" });
    expect(answer).toMatchObject({ statusCode: 204, body: "" });
    expect(answer.headers["content-type"]).toBeUndefined();
  });

  test("refuses what is too large, invalid, not allowed or unknown, without calling the operation", async () => {
    expect(await invoke({}, { httpMethod: "POST", body: base64("abcde") })).toMatchObject({
      statusCode: 413,
    });
    expect(await invoke({}, { httpMethod: "GET", queryStringParameters: { size: "x" } })).toMatchObject({
      statusCode: 400,
      body: expect.stringContaining('"path":"query.size"'),
    });
    expect(await invoke({}, { httpMethod: "PUT" })).toMatchObject({
      statusCode: 405,
      headers: { allow: "GET, POST, DELETE" },
    });
    expect(await invoke({}, { httpMethod: "GET", resource: "/other" })).toMatchObject({ statusCode: 404 });
  });

  test("tells the operation's own errors", async () => {
    const remove = () => Promise.reject(failure("project.not-found", { project_id: "p" }));
    expect(await invoke({ remove }, { httpMethod: "DELETE" })).toMatchObject({
      statusCode: 404,
      body: '{"message":"Project ID p doesn\'t exist","status":404}',
    });
  });

  test("asks to come back when the store is busy", async () => {
    const remove = () => Promise.reject(failure("store.busy"));
    const answer = await invoke({ remove }, { httpMethod: "DELETE" });
    expect(answer).toMatchObject({ statusCode: 503, headers: { "retry-after": "1" } });
  });

  test("tells a fault of ours by its request id alone, and logs the cause once", async () => {
    const log = vi.spyOn(console, "error").mockImplementation(() => undefined);
    const remove = () => Promise.reject(new Error("secret table name", { cause: new Error("deeper") }));
    const answer = await invoke({ remove }, { httpMethod: "DELETE" });
    expect(answer).toMatchObject({
      statusCode: 500,
      body: '{"message":"Internal server error","status":500,"request_id":"request-1"}',
    });
    expect(log).toHaveBeenCalledTimes(1);
    const line = JSON.parse(log.mock.calls[0]![0]);
    expect(line).toMatchObject({ level: "error", request_id: "request-1" });
    expect(line.stack + line.cause).toMatch(/secret table name[\s\S]*deeper/);
  });
});
