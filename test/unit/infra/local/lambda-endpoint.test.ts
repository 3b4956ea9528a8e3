/** Calls of functions that do not wait for the work: the local stand-in for Lambda's Invoke. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { EmbeddedServer } from "../../../../infra/local/embedded-server.ts";
import { startLambdaEndpoint } from "../../../../infra/local/lambda-endpoint.ts";
import { settles } from "../../../helpers/settles.ts";

const DONE = { kind: "buffered", payload: "null" } as const;

let server: EmbeddedServer;
let messages: [string, object][];
const invoke = vi.fn();

beforeEach(async () => {
  messages = [];
  invoke.mockReset();
  server = await startLambdaEndpoint("127.0.0.1", {
    names: { Watcher1A: "wirelab-watcher", Other2B: "wirelab-other" },
    calls: [{ functionId: "Watcher1A", retries: 1, failureQueueId: "Failures" }],
    pool: () => ({ invoke }),
    queues: { send: (queue, message) => void messages.push([queue, message]) },
  });
});
afterEach(() => server.stop());

const call = async (
  path = "/2015-03-31/functions/wirelab-watcher/invocations",
  type = "Event",
  method = "POST",
) => {
  const response = await fetch(server.endpoint + path, {
    method,
    headers: { "x-amz-invocation-type": type },
    ...(method === "POST" && { body: '{"a":1}' }),
  });
  return { status: response.status, text: await response.text() };
};

test("a call is accepted before its function ends", async () => {
  invoke.mockReturnValue(new Promise(() => {}));
  expect(await call()).toEqual({ status: 202, text: "" });
  await settles(() => expect(invoke).toHaveBeenCalledTimes(1));
  expect(invoke.mock.calls[0]!.slice(0, 3)).toEqual(["Watcher1A", expect.any(String), '{"a":1}']);
});

test("a failed call is repeated with the same request", async () => {
  invoke.mockRejectedValueOnce(new Error("no memory")).mockResolvedValue(DONE);
  await call();
  await settles(() => expect(invoke).toHaveBeenCalledTimes(2));
  expect(invoke.mock.calls[0]![1]).toBe(invoke.mock.calls[1]![1]);
  expect(messages).toEqual([]);
});

test("a call that fails each time is a message in the queue of failures", async () => {
  invoke.mockRejectedValue(new Error("no memory"));
  await call();
  await settles(() => expect(messages).toHaveLength(1));
  expect(invoke).toHaveBeenCalledTimes(2);
  expect(messages).toMatchObject([
    [
      "Failures",
      {
        requestContext: {
          functionArn: "Watcher1A",
          condition: "RetriesExhausted",
          approximateInvokeCount: 2,
        },
        requestPayload: { a: 1 },
        responsePayload: { errorMessage: "no memory" },
      },
    ],
  ]);
});

test("what is not there is refused by name", async () => {
  expect(await call("/2015-03-31/functions/none/invocations")).toEqual({
    status: 404,
    text: '{"Message":"Function not found: none"}',
  });
  expect((await call(undefined, "RequestResponse")).text).toContain("only the invocation type Event");
  expect((await call("/2015-03-31/functions", "Event", "GET")).text).toContain(
    "GET /2015-03-31/functions is not supported locally",
  );
  expect(invoke).not.toHaveBeenCalled();
});
