/** A stand-in for a compute: an HTTP server that answers chosen requests, and records all. */
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Peer } from "../../../functions/shared/compute/peer.ts";

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly body: string;
  readonly authorization: string | undefined;
}

export interface Reply {
  readonly status?: number;
  /** Text is sent as it is, anything else as JSON. */
  readonly body?: unknown;
  /** The request gets no response. */
  readonly isSilent?: true;
}

export class AnsweringCompute {
  readonly asked: Asked[] = [];
  /** By method and path below `/v2/compute`, such as `GET /capabilities`. Others are 404. */
  readonly replies: Record<string, Reply> = {};
  readonly #server: Server;

  private constructor() {
    this.#server = createServer(async (request, response) => {
      const parts: Buffer[] = [];
      for await (const part of request) parts.push(part as Buffer);
      const { method = "", url = "", headers } = request;
      const path = url.replace(/^\/v2\/compute/, "");
      this.asked.push({
        method,
        path,
        body: String(Buffer.concat(parts)),
        authorization: headers.authorization,
      });
      const reply = this.replies[`${method} ${path}`] ?? {
        status: 404,
        body: { message: "not found", status: 404 },
      };
      if (reply.isSilent) return;
      response.statusCode = reply.status ?? 200;
      response.end(typeof reply.body === "string" ? reply.body : JSON.stringify(reply.body ?? ""));
    });
  }

  static async start(): Promise<AnsweringCompute> {
    const compute = new AnsweringCompute();
    compute.#server.listen(0, "127.0.0.1");
    await once(compute.#server, "listening");
    return compute;
  }

  get peer(): Peer {
    const { port } = this.#server.address() as AddressInfo;
    return { name: "lab-1", protocol: "http", host: "127.0.0.1", port, user: "u", password: "p" };
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}
