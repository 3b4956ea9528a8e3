/** Every bundle of the stack, loaded and called by Lambda's runtime client. */
import { marshall } from "@aws-sdk/util-dynamodb";
import { expect, test } from "vitest";
import { GROUPS } from "../../functions/routes.ts";
import type { FunctionDefinition } from "../../infra/local/template/functions.ts";
import { readTemplate } from "../../infra/local/template/template.ts";
import type { Send } from "../bench/recipes.ts";
import { type Runtime, startRuntime } from "../helpers/runtime/runtime.ts";
import { checkAgainstDeclaration } from "../helpers/service/client.ts";
import { makeEvent } from "../helpers/service/event.ts";
import { FAULTY_RECIPES } from "../helpers/service/faulty-labs.ts";
import { client, makeLab } from "../helpers/service/lab.ts";
import { environmentOf, localStack } from "../helpers/stack/this-stack.ts";
import { readPartition } from "../helpers/stores/raw-items.ts";

/** A capture stream ends 3 s before its function's timeout; the other groups get the default. */
const TIMEOUTS_MS: Readonly<Record<string, number>> = { follow: 6000 };

const stack = localStack();
const { functions, routes, schedules, streams, asyncCalls, stateMachines, sockets } = readTemplate(
  stack.assembly,
);
const functionRoutes = routes.filter((route) => "functionId" in route);

const send: Send = async ({ method, path, body }) => {
  const answer = await client.call(method, path, body === undefined ? {} : { raw: body });
  // API Gateway gives a type to a response without a body, too.
  const isJson = answer.bytes.length > 0 && answer.headers["content-type"] === "application/json";
  return isJson ? answer.json : undefined;
};

async function within(
  { bundleFolder, handler, environment }: FunctionDefinition,
  task: (runtime: Runtime) => Promise<void>,
): Promise<void> {
  const runtime = await startRuntime(bundleFolder, handler, { ...environment, ...environmentOf(stack) });
  await task(runtime).finally(() => runtime.stop());
}

/** Groups `upgrades` and `tokens` refuse every request that asks for no WebSocket, or has no password; the requests with 201 create something. */
const STATUS: Readonly<Record<string, number>> = { upgrades: 400, actions: 201, copies: 201, tokens: 409 };

test.each(GROUPS.map(({ name, routes }) => ({ name, routes })))("$name answers a request", async (group) => {
  const [shot] = await FAULTY_RECIPES[Object.keys(group.routes)[0]!]!(send, 1);
  const { method, path, body: raw } = shot!;
  const event = makeEvent(method, path, raw === undefined ? {} : { raw });
  const { functionId } = functionRoutes.find(({ resourcePath }) => resourcePath === event.resource)!;
  await within(functions[functionId]!, async (runtime) => {
    const { isStreamed, head, body, error } = await runtime.invoke(event, TIMEOUTS_MS[group.name]);
    const status = STATUS[group.name] ?? 200;
    expect([isStreamed, head?.statusCode, error]).toEqual([true, status, undefined]);
    checkAgainstDeclaration(method, path, {
      status,
      headers: head!.headers,
      bytes: body,
      get json() {
        return JSON.parse(body.toString());
      },
    });
  });
});

test.each(schedules)("$functionId runs on its schedule", async ({ functionId }) => {
  await within(functions[functionId]!, async (runtime) => {
    const { isStreamed, body, error } = await runtime.invoke({ source: "aws.events" });
    expect([isStreamed, error]).toEqual([false, undefined]);
    expect(JSON.parse(body.toString())).toEqual(expect.any(Object));
  });
});

test("the function of the WebSocket API answers a connection, and a path without a channel", async () => {
  const connect = (path: string) => ({
    headers: {},
    queryStringParameters: { path },
    requestContext: {
      routeKey: "$connect",
      eventType: "CONNECT",
      connectionId: "runtime=",
      requestId: "request-1",
      requestTimeEpoch: 0,
      identity: { sourceIp: "192.0.2.1" },
    },
  });
  await within(functions[sockets!.connect]!, async (runtime) => {
    const { isStreamed, body, error } = await runtime.invoke(connect("/v2/notifications/ws"));
    expect([isStreamed, error, JSON.parse(body.toString())]).toEqual([false, undefined, { statusCode: 200 }]);
    const refused = JSON.parse((await runtime.invoke(connect("/v2/nothing/ws"))).body.toString());
    expect(refused).toMatchObject({ statusCode: 404, body: expect.stringContaining("route.not-found") });
  });
});

test("the function of the WebSocket API informs connections that open, which the publisher names", async () => {
  await within(functions[sockets!.connect]!, async (runtime) => {
    const { body, error } = await runtime.invoke({ opened: ["a-client-that-has-left="] });
    expect([error, JSON.parse(body.toString())]).toEqual([undefined, { statusCode: 200 }]);
  });
});

test.each(asyncCalls.filter(({ functionId }) => functionId.startsWith("watcher")))(
  "$functionId ends when no client follows a registered compute",
  async ({ functionId }) => {
    await within(functions[functionId]!, async (runtime) => {
      expect((await runtime.invoke({})).error).toBeUndefined();
    });
  },
);

test.each(streams)("$functionId publishes a change of the table, once", async ({ functionId }) => {
  const { path, projectId } = await makeLab();
  const drawingId = (await client.post(`${path}/drawings`, {})).json.drawing_id;
  const stored = await readPartition(stack, `PROJECT#${projectId}`);
  const NewImage = marshall(stored.find(({ sk }) => sk === `DRAWING#${drawingId}`)!);
  // Events are stored for a project that a client follows, or followed a moment ago.
  await client.call("HEAD", `${path}/notifications`);
  const SequenceNumber = "100000000000000000001";
  const ApproximateCreationDateTime = Math.floor(Date.now() / 1000) + 1_000;
  const Records = [{ dynamodb: { NewImage, SequenceNumber, ApproximateCreationDateTime } }];
  await within(functions[functionId]!, async (runtime) => {
    for (let call = 0; call < 2; call++) {
      const { body, error } = await runtime.invoke({ Records });
      expect([error, JSON.parse(body.toString())]).toEqual([undefined, { batchItemFailures: [] }]);
    }
  });
  const published = (await readPartition(stack, `EVENTS#${projectId}`)).filter(
    ({ changed_s }) => changed_s === ApproximateCreationDateTime,
  );
  expect(published.map(({ text }) => JSON.parse(text))).toMatchObject([
    { action: "drawing.created", event: { drawing_id: drawingId } },
  ]);
});

test.each(stateMachines)("$functionId looks for what it is to play", async ({ functionId }) => {
  await within(functions[functionId]!, async (runtime) => {
    const { error } = await runtime.invoke({ sweep: "sweeps/none/none", batch: 0, run: "runs/none" });
    expect(JSON.stringify(error)).toMatch(/There is no (sweep at sweeps\/none\/none|request at runs\/none)/);
  });
});

test("every function is covered", () => {
  const ids = [...functionRoutes, ...schedules, ...streams, ...asyncCalls, ...stateMachines].map(
    ({ functionId }) => functionId,
  );
  const called = new Set([...ids, sockets!.connect]);
  expect(Object.keys(functions).toSorted()).toEqual([...called].toSorted());
});
