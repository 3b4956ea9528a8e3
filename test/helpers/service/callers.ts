/**
 * Requests of users: calls the handlers of all groups in the test's process, over the service's table and bucket. A handler gets
 * the local gateway's event for the request and an authorizer's context, which a test cannot add over HTTP. Responses are
 * checked against the declarations, as everywhere.
 */
import { once } from "node:events";
import { PassThrough } from "node:stream";
import type { APIGatewayProxyEvent, Context } from "aws-lambda";
import { vi } from "vitest";
import type { Role } from "../../../functions/shared/edge/principal.ts";
import { type Answer, type Call, checkAgainstDeclaration } from "./client.ts";
import { makeEvent } from "./event.ts";
import { useServiceStores } from "./in-process.ts";

useServiceStores();

interface Head {
  readonly statusCode: number;
  readonly headers: Record<string, string>;
}

/** Replaces the runtime's stream: collects what is written to it. */
class KeptStream extends PassThrough {
  head!: Head;
  readonly #chunks: Buffer[] = [];

  constructor() {
    super();
    this.on("data", (chunk: Buffer) => this.#chunks.push(chunk));
  }

  get bytes(): Buffer {
    return Buffer.concat(this.#chunks);
  }
}

vi.stubGlobal("awslambda", {
  streamifyResponse: (handler: unknown) => handler,
  HttpResponseStream: {
    from: (stream: KeptStream, head: Head) => Object.assign(stream, { head }),
  },
});

type Handler = (event: APIGatewayProxyEvent, stream: KeptStream, context: Context) => Promise<void>;

const handlerOf = async (group: string): Promise<Handler> =>
  (await import(`../../../functions/${group}/handler.ts`)).handler;

const MOST_MS = 29_000;

type GatewayContext = APIGatewayProxyEvent["requestContext"];

/** Calls the service as a given user; the methods are those of `Client`. */
export class Caller {
  readonly #known: Partial<GatewayContext>;

  /** @param known the authorizer context of the caller. */
  constructor(known: Partial<GatewayContext>) {
    this.#known = known;
  }

  get = (path: string, call?: Call): Promise<Answer> => this.call("GET", path, call);
  post = (path: string, body?: unknown): Promise<Answer> => this.call("POST", path, { body });
  put = (path: string, body?: unknown): Promise<Answer> => this.call("PUT", path, { body });
  delete = (path: string): Promise<Answer> => this.call("DELETE", path);

  async call(method: string, path: string, call: Call = {}): Promise<Answer> {
    const { stream, done } = await this.#begin(method, path, call);
    await done;
    const { statusCode, headers } = stream.head;
    const { bytes } = stream;
    const answer: Answer = {
      status: statusCode,
      headers,
      bytes,
      get json() {
        return JSON.parse(bytes.toString("utf8"));
      },
    };
    checkAgainstDeclaration(method, path, answer);
    return answer;
  }

  /** Reads a stream. @returns when its first bytes have arrived; `file` settles when it ends. */
  async follow(path: string): Promise<{ file: Promise<Buffer> }> {
    const { stream, done } = await this.#begin("GET", path, {});
    await Promise.race([once(stream, "data"), done]);
    return { file: done.then(() => stream.bytes) };
  }

  async #begin(
    method: string,
    target: string,
    call: Call,
  ): Promise<{ stream: KeptStream; done: Promise<void> }> {
    const event = makeEvent(method, target, call);
    Object.assign(event.requestContext, this.#known);
    const stream = new KeptStream();
    const deadlineMs = Date.now() + MOST_MS;
    const context = { getRemainingTimeInMillis: () => deadlineMs - Date.now() } as Context;
    return { stream, done: (await handlerOf(event.requestContext.resourceId))(event, stream, context) };
  }
}

/** The authorizer context of a user with the name and the role. */
export const user = (name: string, role: Role): Caller =>
  new Caller({ authorizer: { user: name, role, principalId: name } });
