/** Stands between the store and its servers, and kills the caller at a chosen call: from then on nothing gets through. */
import { createServer, request as httpRequest, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";

/** One plan for all proxies of a test, so that calls to different servers count together. */
export class FaultPlan {
  #left = Number.POSITIVE_INFINITY;
  #moment: "before" | "after" = "before";
  #dead = false;
  /** Calls that changed something and got through, since the plan was last set or cleared. */
  passed: string[] = [];

  /** The call number `index` (from 0) of those that change something dies, before or after it had its effect. */
  killAt(index: number, moment: "before" | "after"): void {
    this.clear();
    this.#left = index;
    this.#moment = moment;
  }

  /** Everything gets through again. */
  clear(): void {
    this.#left = Number.POSITIVE_INFINITY;
    this.#dead = false;
    this.passed = [];
  }

  /** Whether the planned call has come. */
  get struck(): boolean {
    return this.#dead;
  }

  /** What becomes of a call. */
  judge(name: string, changes: boolean): "pass" | "die-before" | "die-after" {
    if (this.#dead) return "die-before";
    if (!changes) return "pass";
    if (this.#left-- > 0) {
      this.passed.push(name);
      return "pass";
    }
    this.#dead = true;
    return this.#moment === "before" ? "die-before" : "die-after";
  }
}

export interface FaultProxy {
  readonly url: string;
  close(): void;
}

const READS = /\.(GetItem|BatchGetItem|Query|Scan|DescribeTable)$/;

export async function startFaultProxy(target: string, plan: FaultPlan): Promise<FaultProxy> {
  const { hostname, port } = new URL(target);
  const server: Server = createServer(async (incoming, outgoing) => {
    const body = await readAll(incoming);
    const { method, url: path, headers } = incoming;
    const operation = String(headers["x-amz-target"] ?? "");
    const isChange = operation ? !READS.test(operation) : method !== "GET" && method !== "HEAD";
    const fate = plan.judge(operation.replace(/^.*\./, "") || `${method} ${path}`, isChange);
    if (fate === "die-before") return incoming.socket.destroy();
    const forwarded = httpRequest({ hostname, port, method, path, headers }, async (response) => {
      const answer = await readAll(response);
      if (fate === "die-after") return incoming.socket.destroy();
      outgoing.writeHead(response.statusCode!, response.headers);
      outgoing.end(answer);
    });
    forwarded.on("error", () => outgoing.destroy());
    forwarded.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

const readAll = async (stream: IncomingMessage): Promise<Buffer> => Buffer.concat(await stream.toArray());
