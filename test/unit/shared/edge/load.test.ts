/** A bound group loads the module of an operation with the operation's first request. */
import { PassThrough } from "node:stream";
import type { APIGatewayProxyEvent, Context } from "aws-lambda";
import { afterEach, expect, test, vi } from "vitest";
import { load } from "../../../../functions/shared/edge/load.ts";
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
    remove: {
      method: "DELETE",
      path: "/things",
      paced: true,
      summary: "s",
      responses: { 204: { description: "d" } },
      errors: [],
    },
  },
});
const removed = { remove: async () => ({ status: 204 as const }) };

/** @returns the status codes of requests that follow each other, and what was logged. */
async function statusesOf(loadModule: () => Promise<typeof removed>, requests: number, take = vi.fn()) {
  const lines: { message?: string; error?: { message?: string } }[] = [];
  for (const output of [process.stdout, process.stderr])
    vi.spyOn(output, "write").mockImplementation((text) => Boolean(lines.push(JSON.parse(String(text)))));
  take.mockResolvedValue({ limit: 9, retryAfterS: undefined });
  const handler = bind(group, load(loadModule, ["remove"]), { pace: { take } }) as unknown as (
    event: APIGatewayProxyEvent,
    stream: PassThrough,
    context: Context,
  ) => Promise<void>;
  const statuses: number[] = [];
  for (let request = 0; request < requests; request++) {
    const stream = new PassThrough() as PassThrough & { head: { statusCode: number } };
    const event = {
      resource: "/things",
      path: "/things",
      httpMethod: "DELETE",
      headers: {},
      body: null,
      requestContext: { requestId: "r", authorizer: { user: "ann", role: "editor" } },
    } as unknown as APIGatewayProxyEvent;
    await handler(event, stream, { getRemainingTimeInMillis: () => 5000 } as Context);
    statuses.push(stream.head.statusCode);
  }
  return { statuses, faults: lines.filter(({ message }) => message === "fault") };
}

afterEach(() => vi.restoreAllMocks());

test("loads nothing before a request", async () => {
  const loadModule = vi.fn(async () => removed);
  expect(await statusesOf(loadModule, 0)).toEqual({ statuses: [], faults: [] });
  expect(loadModule).not.toHaveBeenCalled();
  expect(await statusesOf(loadModule, 1)).toEqual({ statuses: [204], faults: [] });
});

test("a module that cannot be loaded is status 500 with a line in the log, and the next request loads it", async () => {
  const loadModule = vi.fn(async () => removed).mockRejectedValueOnce(new Error("EMFILE"));
  const { statuses, faults } = await statusesOf(loadModule, 2);
  expect(statuses).toEqual([500, 204]);
  expect(faults).toEqual([
    expect.objectContaining({ error: expect.objectContaining({ message: "EMFILE" }) }),
  ]);
});

test("loads while it counts the request", async () => {
  const counted = vi.fn();
  const loadModule = vi.fn(async () => {
    await vi.waitFor(() => expect(counted).toHaveBeenCalled());
    return removed;
  });
  expect((await statusesOf(loadModule, 1, counted)).statuses).toEqual([204]);
});
