/**
 * A proxy in front of a compute, which withholds one chosen response: the function that waits for it dies of its timeout. So it dies
 * before the compute got the request, or after the compute has done it.
 */
import { once } from "node:events";
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import type { RealCompute } from "./real-compute.ts";

export type Moment = "before" | "after";

/** Counts the calls to several computes by their project, and chooses for each project the call at which a function dies. */
export class CallCount {
  readonly #calls = new Map<string, string[]>();
  readonly #deaths = new Map<string, { readonly index: number; readonly moment: Moment }>();

  /** Returns the project's calls, such as `POST /v2/compute/projects`. */
  callsOf(projectId: string): readonly string[] {
    return this.#calls.get(projectId) ?? [];
  }

  chooseDeath(projectId: string, index: number, moment: Moment): void {
    this.#deaths.set(projectId, { index, moment });
  }

  note(projectId: string, call: string): Moment | undefined {
    const calls = [...this.callsOf(projectId), call];
    this.#calls.set(projectId, calls);
    const death = this.#deaths.get(projectId);
    return death?.index === calls.length - 1 ? death.moment : undefined;
  }
}

const PROJECT = /"project_id": ?"([^"]+)"|\/projects\/([^/]+)/;

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
    const body = await buffer(incoming);
    const [, created, named = created ?? ""] = PROJECT.exec(`${path} ${body}`) ?? [];
    const fate = this.#count.note(named, `${method} ${path}`);
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
    outgoing.end(body);
  }
}
