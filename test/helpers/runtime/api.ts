/**
 * The API from which Lambda's runtime client takes its invocations, for one process.
 * https://docs.aws.amazon.com/lambda/latest/dg/runtimes-api.html
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

const INVOCATION = "/2018-06-01/runtime/invocation/";
const ERROR_TYPE = "lambda-runtime-function-error-type";
const ERROR_BODY = "lambda-runtime-function-error-body";
/** The end of a streamed response's head. */
const DELIMITER = Buffer.alloc(8);

export interface RuntimeAnswer {
  readonly isStreamed: boolean;
  /** Status and headers of a streamed response. */
  readonly head: { readonly statusCode: number; readonly headers: Record<string, string> } | undefined;
  readonly body: Buffer;
  /** How the client reported the function's failure: instead of a response, or in the trailer of one. */
  readonly error: { readonly errorType: string; readonly errorMessage: string } | undefined;
}

interface Invocation {
  readonly event: unknown;
  readonly timeoutMs: number;
  readonly answered: PromiseWithResolvers<RuntimeAnswer>;
}

export class RuntimeApi {
  readonly #server: Server;
  readonly #queue: Invocation[] = [];
  /** A client that waits for its next invocation. */
  #waiting: ServerResponse | undefined;
  #current: Invocation | undefined;
  #failed: Error | undefined;

  private constructor() {
    this.#server = createServer((request, response) => void this.#serve(request, response));
  }

  static async start(): Promise<RuntimeApi> {
    const api = new RuntimeApi();
    await new Promise<void>((resolve) => api.#server.listen(0, "127.0.0.1", resolve));
    return api;
  }

  /** The value of AWS_LAMBDA_RUNTIME_API. */
  get address(): string {
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** @param timeoutMs the remaining time that the function sees; nothing ends it then. */
  invoke(event: unknown, timeoutMs: number): Promise<RuntimeAnswer> {
    if (this.#failed) return Promise.reject(this.#failed);
    const answered = Promise.withResolvers<RuntimeAnswer>();
    this.#queue.push({ event, timeoutMs, answered });
    this.#handOut();
    return answered.promise;
  }

  /** Rejects every pending invocation and all later ones. */
  fail(reason: Error): void {
    this.#failed = reason;
    this.#current?.answered.reject(reason);
    for (const { answered } of this.#queue) answered.reject(reason);
  }

  stop(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.url === `${INVOCATION}next`) {
      this.#waiting = response;
      this.#handOut();
      return;
    }
    const received = await buffer(request).catch(() => null);
    // The client closed the connection: the invocation ends when its process does.
    if (received === null) return;
    const invocation = this.#current;
    this.#current = undefined;
    response.writeHead(202).end();
    if (request.url?.endsWith("/init/error")) this.fail(new Error(received.toString()));
    else invocation?.answered.resolve(readAnswer(request, received));
  }

  #handOut(): void {
    if (this.#waiting === undefined || this.#queue.length === 0) return;
    this.#current = this.#queue.shift()!;
    this.#waiting
      .writeHead(200, {
        "content-type": "application/json",
        "lambda-runtime-aws-request-id": crypto.randomUUID(),
        "lambda-runtime-deadline-ms": String(Date.now() + this.#current.timeoutMs),
        "lambda-runtime-invoked-function-arn": "arn:aws:lambda:us-east-1:000000000000:function:tested",
      })
      .end(JSON.stringify(this.#current.event));
    this.#waiting = undefined;
  }
}

function readAnswer({ url = "", headers, trailers }: IncomingMessage, received: Buffer): RuntimeAnswer {
  const isStreamed = headers["lambda-runtime-function-response-mode"] === "streaming";
  if (url.endsWith("/error")) {
    return { isStreamed, head: undefined, body: Buffer.alloc(0), error: JSON.parse(received.toString()) };
  }
  const end = received.indexOf(DELIMITER);
  const isWithHead = isStreamed && end >= 0;
  return {
    isStreamed,
    head: isWithHead ? JSON.parse(received.toString("utf8", 0, end)) : undefined,
    body: isWithHead ? received.subarray(end + DELIMITER.length) : received,
    error: trailers[ERROR_TYPE]
      ? JSON.parse(Buffer.from(trailers[ERROR_BODY]!, "base64").toString())
      : undefined,
  };
}
