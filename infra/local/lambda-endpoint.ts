/**
 * The part of Lambda's API that the functions use: Invoke with the type `Event`, which returns at once. A failed call is repeated as often as
 * the function's configuration says; then it is a message in its queue of failures.
 */
import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import type { EmbeddedServer } from "./embedded-server.ts";
import type { FailureQueues } from "./failure-queues.ts";
import type { LambdaPool } from "./lambda-pool.ts";
import { ASYNC_RETRIES, type AsyncCallDefinition } from "./template/async-calls.ts";

/** Lambda's pauses are minutes. */
const RETRY_MS = 500;

const INVOKE = /^\/2015-03-31\/functions\/([^/]+)\/invocations$/;

export interface LambdaEndpointOptions {
  /** The functions' names by logical id. */
  readonly names: Readonly<Record<string, string>>;
  readonly calls: readonly AsyncCallDefinition[];
  readonly pool: () => Pick<LambdaPool, "invoke">;
  readonly queues: FailureQueues;
}

export async function startLambdaEndpoint(
  host: string,
  options: LambdaEndpointOptions,
): Promise<EmbeddedServer> {
  const stopping = new AbortController();
  const server = createServer((request, response) => {
    // A client that disconnects, or sends another protocol, must not end the process.
    answer(request, response, options, stopping.signal).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  return {
    endpoint: `http://${host}:${(server.address() as AddressInfo).port}`,
    async stop() {
      stopping.abort();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  options: LambdaEndpointOptions,
  stopping: AbortSignal,
): Promise<void> {
  const event = (await text(request)) || "{}";
  const [, name] = INVOKE.exec(request.url ?? "") ?? [];
  const refuse = (status: number, Message: string) =>
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify({ Message }));
  if (request.method !== "POST" || name === undefined)
    return void refuse(501, `${request.method} ${request.url} is not supported locally`);
  if (request.headers["x-amz-invocation-type"] !== "Event")
    return void refuse(501, "only the invocation type Event is supported locally");
  const functionId = Object.keys(options.names).find((id) => options.names[id] === name);
  if (functionId === undefined) return void refuse(404, `Function not found: ${name}`);
  response.writeHead(202).end();
  await run(functionId, event, options, stopping);
}

async function run(
  functionId: string,
  event: string,
  { calls, pool, queues }: LambdaEndpointOptions,
  stopping: AbortSignal,
): Promise<void> {
  const call = calls.find((each) => each.functionId === functionId);
  const { retries = ASYNC_RETRIES, failureQueueId } = call ?? {};
  const requestId = randomUUID();
  for (let attempt = 0; !stopping.aborted; attempt++) {
    const error = await pool()
      .invoke(functionId, requestId, event, stopping)
      .then(
        () => undefined,
        (error: unknown) => error as Error,
      );
    if (error === undefined || stopping.aborted) return;
    if (attempt === retries) {
      // https://docs.aws.amazon.com/lambda/latest/dg/invocation-async-retain-records.html
      if (failureQueueId !== undefined)
        queues.send(failureQueueId, {
          version: "1.0",
          timestamp: new Date().toISOString(),
          requestContext: {
            requestId,
            functionArn: functionId,
            condition: "RetriesExhausted",
            approximateInvokeCount: attempt + 1,
          },
          requestPayload: JSON.parse(event),
          responsePayload: { errorMessage: error.message },
        });
      return;
    }
    await sleep(RETRY_MS, undefined, { signal: stopping }).catch(() => undefined);
  }
}
