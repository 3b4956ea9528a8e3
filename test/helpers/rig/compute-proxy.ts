/**
 * A proxy in front of a compute, which withholds one chosen response: the function that waits for it dies of its timeout. So it dies
 * before the compute got the request, or after the compute has done it.
 */
import { once } from "node:events";
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { RealCompute } from "./real-compute.ts";

export type Moment = "before" | "after";

/** Counts the calls to several computes, and chooses the one at which the function dies. */
export class CallCount {
  /** `POST /v2/compute/projects` of each call since the last reset. */
  calls: string[] = [];
  #index = Number.POSITIVE_INFINITY;
  #moment: Moment = "before";

  reset(index = Number.POSITIVE_INFINITY, moment: Moment = "before"): void {
    this.calls = [];
    this.#index = index;
    this.#moment = moment;
  }

  note(call: string): Moment | undefined {
    return this.calls.push(call) - 1 === this.#index ? this.#moment : undefined;
  }
}

export class ComputeProxy {
  readonly #server: Server;
  readonly #compute: RealCompute;
  readonly #count: CallCount;

  private constructor(compute: RealCompute, count: CallCount) {
    this.#compute = compute;
    this.#count = count;
    this.#server = createServer((incoming, response) => void this.#pass(incoming, response));
  }

  static async start(compute: RealCompute, count: CallCount): Promise<ComputeProxy> {
    const proxy = new ComputeProxy(compute, count);
    proxy.#server.listen(0, "127.0.0.1");
    await once(proxy.#server, "listening");
    return proxy;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  async #pass(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = "GET", url: path = "/", headers } = incoming;
    const fate = this.#count.note(`${method} ${path}`);
    if (fate === "before") return;
    const { host, port } = this.#compute;
    const outgoing = request({ host, port, method, path, headers });
    outgoing.on("error", () => response.destroy());
    outgoing.on("response", (answer) => {
      if (fate === "after") {
        answer.resume();
        return;
      }
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    incoming.pipe(outgoing);
  }
}
