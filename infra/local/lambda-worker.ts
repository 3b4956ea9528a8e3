/** The entry point of a worker thread, Lambda's runtime for one function: loads the bundle and handles invocations. */
import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { parentPort, workerData } from "node:worker_threads";
import type { Context } from "aws-lambda";
import type { FromWorker, ToWorker, WorkerSetup } from "./lambda-messages.ts";
import { ResponseStream } from "./response-stream.ts";

type BufferedHandler = (event: unknown, context: Context) => unknown;
type StreamingHandler = (event: unknown, stream: ResponseStream, context: Context) => unknown;

const setup = workerData as WorkerSetup;
const port = parentPort!;
const streamingHandlers = new WeakSet<object>();
const openStreams = new Map<string, ResponseStream>();

/** The global object with which bundles declare a streaming handler; it must exist before a bundle is loaded. */
Object.assign(globalThis, {
  awslambda: {
    streamifyResponse(handler: StreamingHandler): StreamingHandler {
      streamingHandlers.add(handler);
      return handler;
    },
    HttpResponseStream: {
      from(stream: ResponseStream, prelude: object): ResponseStream {
        stream.prelude = JSON.stringify(prelude) ?? null;
        return stream;
      },
    },
  },
});

const handler = await loadHandler();
port.on("message", receive);
post({ kind: "ready" });

async function loadHandler(): Promise<BufferedHandler | StreamingHandler> {
  const file = join(
    setup.bundleFolder,
    dirname(setup.handler),
    basename(setup.handler).replace(/\.\w+$/, ""),
  );
  const exportName = setup.handler.split(".").at(-1)!;
  const found = [".mjs", ".js", ".cjs"].map((extension) => file + extension).find(existsSync);
  if (found === undefined) throw new Error(`${setup.functionName}: there is no ${file}.mjs, .js or .cjs`);
  const loaded = await import(pathToFileURL(found).href);
  const handler = loaded[exportName] ?? loaded.default?.[exportName];
  if (typeof handler !== "function")
    throw new Error(`${setup.functionName}: ${found} exports no ${exportName}`);
  return handler;
}

function receive(message: ToWorker): void {
  switch (message.kind) {
    case "invoke":
      void invoke(message.id, JSON.parse(message.event), makeContext(message.id, message.deadlineMs));
      return;
    case "more":
      openStreams.get(message.id)?.takeMore();
      return;
    case "cancel":
      openStreams.get(message.id)?.cancel();
      return;
    case "ping":
      post({ kind: "pong" });
      return;
  }
}

async function invoke(id: string, event: unknown, context: Context): Promise<void> {
  try {
    if (streamingHandlers.has(handler)) await stream(id, event, context);
    else {
      const result = await (handler as BufferedHandler)(event, context);
      post({ kind: "result", id, payload: JSON.stringify(result) ?? "null" });
    }
  } catch (error) {
    post({
      kind: "fault",
      id,
      message: error instanceof Error ? (error.stack ?? error.message) : String(error),
    });
  }
}

/** Destroys the stream if the handler throws, which reports the fault, unless the client has disconnected. */
async function stream(id: string, event: unknown, context: Context): Promise<void> {
  const output = new ResponseStream(id, post);
  openStreams.set(id, output);
  output.once("close", () => openStreams.delete(id));
  try {
    await (handler as StreamingHandler)(event, output, context);
  } catch (error) {
    if (output.writableFinished) throw error;
    output.destroy(error instanceof Error ? error : new Error(String(error)));
  }
}

function post(message: FromWorker): void {
  port.postMessage(message, "bytes" in message ? [message.bytes.buffer as ArrayBuffer] : []);
}

function makeContext(awsRequestId: string, deadlineMs: number): Context {
  const unsupported = () => {
    throw new Error("the Node.js 24 runtime has no callbacks: return a promise");
  };
  return {
    awsRequestId,
    callbackWaitsForEmptyEventLoop: true,
    functionName: setup.functionName,
    functionVersion: "$LATEST",
    invokedFunctionArn: setup.functionArn,
    memoryLimitInMB: String(setup.memoryMb),
    logGroupName: `/aws/lambda/${setup.functionName}`,
    logStreamName: "local",
    getRemainingTimeInMillis: () => Math.max(0, deadlineMs - Date.now()),
    done: unsupported,
    fail: unsupported,
    succeed: unsupported,
  };
}
