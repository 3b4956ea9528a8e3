/** A bound group checks idempotency keys and a user's rate limit before it calls an operation. */
import { PassThrough } from "node:stream";
import type { APIGatewayProxyEvent, Context } from "aws-lambda";
import { describe, expect, test, vi } from "vitest";
import * as z from "zod/mini";
import { failure } from "../../../../functions/shared/edge/errors.ts";
import type { Begun, RequestLedger } from "../../../../functions/shared/edge/idempotency.ts";
import type { Operations } from "../../../../functions/shared/edge/operation.ts";
import { defineGroup } from "../../../../functions/shared/edge/route.ts";

vi.stubGlobal("awslambda", {
  streamifyResponse: (handler: unknown) => handler,
  HttpResponseStream: {
    from: (stream: PassThrough & { head?: unknown }, head: unknown) => Object.assign(stream, { head }),
  },
});
const { bind } = await import("../../../../functions/shared/edge/bind.ts");

const group = defineGroup({
  name: "things",
  description: "d",
  routes: {
    make: {
      method: "POST",
      path: "/things",
      idempotent: true,
      paced: true,
      summary: "s",
      body: { kind: "json", schema: z.object({ size: z.int() }) },
      responses: { 201: { description: "d", schema: z.object({ size: z.number() }) } },
      errors: [],
    },
    read: {
      method: "GET",
      path: "/things",
      summary: "s",
      responses: { 204: { description: "d" } },
      errors: [],
    },
  },
});

const RECEIPT = { id: "i", holder: "h", origin: "o", user: "ann" };
const ledgerOf = (begun: Begun = { state: "begun", receipt: RECEIPT }) =>
  ({
    begin: vi.fn(async () => begun),
    keep: vi.fn(async () => undefined),
    release: vi.fn(async () => undefined),
    handBack: vi.fn(async () => undefined),
  }) satisfies RequestLedger;
const paceOf = (retryAfterS?: number) => ({ take: vi.fn(async () => ({ limit: 3, retryAfterS })) });

const operations = () => ({
  make: vi.fn(async ({ body }: { body: { size: number } }) => ({ status: 201 as const, body })),
  read: vi.fn(async () => ({ status: 204 as const })),
});

async function invoke(
  own: ReturnType<typeof operations>,
  stores: { ledger: RequestLedger; pace: ReturnType<typeof paceOf> },
  event: object = {},
) {
  const stream = new PassThrough() as PassThrough & {
    head: { statusCode: number; headers: Record<string, string> };
  };
  const handler = bind(group, own as unknown as Operations<typeof group>, stores) as unknown as (
    event: APIGatewayProxyEvent,
    stream: PassThrough,
    context: Context,
  ) => Promise<void>;
  const whole = {
    resource: "/things",
    path: "/things",
    httpMethod: "POST",
    headers: { "Idempotency-Key": "k" },
    body: '{"size": 1}',
    isBase64Encoded: false,
    requestContext: { requestId: "r", authorizer: { user: "ann", role: "editor" } },
    ...event,
  } as unknown as APIGatewayProxyEvent;
  await handler(whole, stream, { getRemainingTimeInMillis: () => 5000 } as Context);
  return { ...stream.head, body: Buffer.concat(await stream.toArray()).toString() };
}

describe("a route that takes keys", () => {
  test("runs under the receipt of its user's key, and stores the response", async () => {
    const [own, ledger, pace] = [operations(), ledgerOf(), paceOf()];
    expect(await invoke(own, { ledger, pace })).toMatchObject({ statusCode: 201, body: '{"size":1}' });
    expect(ledger.begin).toHaveBeenCalledExactlyOnceWith("ann", "k", expect.any(String), expect.any(Number));
    expect(own.make).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ receipt: RECEIPT }));
    expect(ledger.keep).toHaveBeenCalledOnce();
  });

  test("stores nothing without a key, nor for an invalid request", async () => {
    const [own, ledger, pace] = [operations(), ledgerOf(), paceOf()];
    expect(await invoke(own, { ledger, pace }, { headers: {} })).toMatchObject({ statusCode: 201 });
    expect(await invoke(own, { ledger, pace }, { body: "{}" })).toMatchObject({ statusCode: 400 });
    expect(ledger.begin).not.toHaveBeenCalled();
  });

  test("asks the client to retry while the first request is in progress", async () => {
    const [own, pace] = [operations(), paceOf()];
    const answer = await invoke(own, { ledger: ledgerOf({ state: "in-progress" }), pace });
    expect(answer).toMatchObject({ statusCode: 409, headers: { "retry-after": "1" } });
    expect(own.make).not.toHaveBeenCalled();
  });

  test("frees the key of a request that the operation rejects", async () => {
    const [own, ledger, pace] = [operations(), ledgerOf(), paceOf()];
    own.make.mockRejectedValueOnce(failure("node.not-found", { node_id: "n" }));
    expect(await invoke(own, { ledger, pace })).toMatchObject({ statusCode: 404 });
    expect(ledger.release).toHaveBeenCalledOnce();
  });
});

describe("a rate-limited route", () => {
  test("rejects a user over the limit with the time to retry, and frees the key", async () => {
    const [own, ledger, pace] = [operations(), ledgerOf(), paceOf(17)];
    expect(await invoke(own, { ledger, pace })).toMatchObject({
      statusCode: 429,
      headers: { "retry-after": "17" },
      body: '{"code":"request.too-many","message":"ann has sent 3 requests in this minute that run labs or change projects; retry in 17 s","status":429}',
    });
    expect(own.make).not.toHaveBeenCalled();
    expect(ledger.release).toHaveBeenCalledOnce();
  });

  test("does not count anonymous callers", async () => {
    const [own, ledger, pace] = [operations(), ledgerOf(), paceOf(17)];
    expect(await invoke(own, { ledger, pace }, { requestContext: { requestId: "r" } })).toMatchObject({
      statusCode: 201,
    });
    expect(pace.take).not.toHaveBeenCalled();
  });

  test("does not count repeated responses, nor requests of other routes", async () => {
    const [own, pace] = [operations(), paceOf()];
    const answer = { status: 201, headers: {}, contentType: "application/json", body: Buffer.from("{}") };
    const again = await invoke(own, { ledger: ledgerOf({ state: "answered", answer }), pace });
    expect(again).toMatchObject({ statusCode: 201, headers: { "idempotency-replayed": "true" }, body: "{}" });
    await invoke(own, { ledger: ledgerOf(), pace }, { httpMethod: "GET", body: null });
    expect(pace.take).not.toHaveBeenCalled();
  });
});

test("a group whose routes need a store cannot be bound without it", () => {
  const own = operations() as unknown as Operations<typeof group>;
  expect(() => bind(group, own, { pace: paceOf() })).toThrow("The group things has no ledger");
  expect(() => bind(group, own, { ledger: ledgerOf() })).toThrow("The group things has no pace");
});
