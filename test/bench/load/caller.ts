/** One connection to the service. Counts each response and retries requests that may be retried. */
import { Agent, request as httpRequest, type IncomingMessage } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { Tally } from "./tally.ts";

export interface Ask {
  readonly body?: unknown;
  readonly raw?: Uint8Array;
  readonly key?: string;
  readonly accept?: string;
  /** Closes the connection after this many bytes of the response. */
  readonly enoughBytes?: number;
}

interface Received {
  readonly status: number;
  readonly bytes: Buffer;
  readonly retryAfterS: number | undefined;
  readonly location?: string | undefined;
  /** Why the connection failed. */
  readonly failure?: string;
}

export class Reply implements Received {
  /** 0 when the connection failed. */
  readonly status: number;
  readonly bytes: Buffer;
  readonly retryAfterS: number | undefined;
  readonly beginMs: number;
  readonly endMs: number;
  /** The number of attempts. */
  readonly attempts: number;

  constructor({ status, bytes, retryAfterS }: Received, beginMs: number, endMs: number, attempts = 1) {
    this.status = status;
    this.bytes = bytes;
    this.retryAfterS = retryAfterS;
    this.beginMs = beginMs;
    this.endMs = endMs;
    this.attempts = attempts;
  }

  // biome-ignore lint/suspicious/noExplicitAny: responses of all routes, compared with the model
  get json(): any {
    return JSON.parse(this.bytes.toString());
  }
}

/** Enough attempts to outlast the claim of a function that died while it held the idempotency key. */
const MOST_ATTEMPTS = 100;
const broken = (error: Error): Received => ({
  status: 0,
  bytes: Buffer.alloc(0),
  retryAfterS: 1,
  failure: String(error.stack),
});

export class Caller {
  readonly #base: URL;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });
  readonly #tally: Tally;

  /** @param base the service's URL, with the stage. */
  constructor(base: string, tally: Tally) {
    this.#base = new URL(base);
    this.#tally = tally;
  }

  close(): void {
    this.#agent.destroy();
  }

  /** Sends a request once. */
  async once(route: string, method: string, path: string, ask: Ask = {}): Promise<Reply> {
    const beginMs = performance.now();
    const reply = await this.#send(method, path, ask).catch(broken);
    const endMs = performance.now();
    const { status, failure } = reply;
    this.#tally.note({ route, status, ms: endMs - beginMs, ...(failure && { failure }) });
    return new Reply(reply, beginMs, endMs);
  }

  /**
   * Sends a request until its response is final; `beginMs` is the start of the first attempt.
   * @param onUnknown called when the client cannot know whether the service carried out the request.
   */
  async until(
    route: string,
    method: string,
    path: string,
    ask: Ask = {},
    onUnknown?: () => Promise<void>,
  ): Promise<Reply> {
    let beginMs: number | undefined;
    for (let attempts = 1; ; attempts++) {
      const reply = await this.once(route, method, path, ask);
      beginMs ??= reply.beginMs;
      const { status, retryAfterS } = reply;
      const isUnknown = status === 0 || status === 504;
      const passes = isUnknown || (retryAfterS !== undefined && (status === 503 || status === 409));
      if (!passes || attempts === MOST_ATTEMPTS) {
        return new Reply(reply, beginMs, reply.endMs, attempts);
      }
      if (isUnknown || status === 503) await onUnknown?.();
      await sleep((retryAfterS ?? 1) * 1000 * Math.random());
    }
  }

  /** Follows a redirect. */
  async #send(method: string, path: string, ask: Ask): Promise<Received> {
    const received = await this.#exchange(method, `${this.#base.pathname}${path}`, ask);
    if (received.status !== 303) return received;
    const { pathname, search } = new URL(received.location!);
    return this.#exchange("GET", `${pathname}${search}`, {});
  }

  #exchange(method: string, path: string, { body, raw, key, accept, enoughBytes }: Ask) {
    const payload = raw ?? (body === undefined ? undefined : Buffer.from(JSON.stringify(body)));
    const headers = {
      ...(payload && { "content-length": String(payload.length) }),
      ...(key && { "idempotency-key": key }),
      ...(accept && { accept }),
    };
    const { hostname, port } = this.#base;
    const options = { hostname, port, method, path, headers, agent: this.#agent };
    return new Promise<Received>((resolve, reject) => {
      const request = httpRequest(options, (response) => {
        readAll(response, enoughBytes).then((bytes) => {
          const retryAfter = response.headers["retry-after"];
          resolve({
            status: response.statusCode!,
            bytes,
            retryAfterS: retryAfter === undefined ? undefined : Number(retryAfter),
            location: response.headers.location,
          });
        }, reject);
      });
      request.on("error", reject);
      request.end(payload);
    });
  }
}

async function readAll(response: IncomingMessage, enoughBytes = Number.POSITIVE_INFINITY): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response) {
    chunks.push(chunk);
    size += chunk.length;
    if (size >= enoughBytes && response.statusCode === 200) break;
  }
  return Buffer.concat(chunks);
}

/** Reports whether the request took effect although its response is no longer stored. */
export const wasCarriedOut = ({ status, bytes }: Pick<Reply, "status" | "bytes">): boolean =>
  status === 409 && bytes.includes("was carried out");
