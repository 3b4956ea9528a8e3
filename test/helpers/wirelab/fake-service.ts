/** A service with two projects and consoles whose device prints each line in brackets. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { feed, makeTerminal } from "@wirelab/engine/terminal/terminal";
import { type WebSocket, WebSocketServer } from "ws";

export const PASSWORD = "correct horse";
export const AUTHORIZATION = `Basic ${Buffer.from(`admin:${PASSWORD}`).toString("base64")}`;
const PROMPT = "PC1> ";

export interface FakeNode {
  name: string;
  project_id: string;
  node_id: string;
  console: number | null;
  compute_id: string;
  console_type: string | null;
  console_host: string;
}

export class FakeService {
  readonly projects = [
    { project_id: "lab-id", name: "lab", status: "opened" },
    { project_id: "shut-id", name: "shut", status: "closed" },
  ];
  readonly nodes: FakeNode[] = [];
  /** Requests, as `GET /v2/projects`. */
  readonly requests: string[] = [];
  readonly headers: IncomingMessage["headers"][] = [];
  readonly bodies: string[] = [];
  readonly consoles: WebSocket[] = [];
  /** Messages that consoles have received. */
  readonly typed: string[] = [];
  readonly followers: WebSocket[] = [];
  readonly streams: ServerResponse[] = [];
  readonly #server = createServer((request, response) => void this.#answer(request, response));
  readonly #sockets = new WebSocketServer({ noServer: true });

  async start(): Promise<this> {
    this.#server.on("upgrade", (request, socket, head) => {
      this.requests.push(`WS ${request.url}`);
      this.headers.push(request.headers);
      const path = request.url!.split("?")[0]!;
      if (request.headers.authorization !== AUTHORIZATION || path.includes("/unknown/")) {
        const body = JSON.stringify({ message: "Node ID unknown doesn't exist" });
        socket.end(`HTTP/1.1 404 Not Found\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
        return;
      }
      this.#sockets.handleUpgrade(request, socket, head, (client) => {
        if (path.endsWith("/console/ws")) this.#openConsole(client);
        else this.followers.push(client);
      });
    });
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    return this;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/v2`;
  }

  add(node_id: string, console: number | null, project_id = "lab-id"): FakeNode {
    const name = node_id.replace("-id", "");
    const node = {
      name,
      project_id,
      node_id,
      compute_id: "local",
      console,
      console_type: "telnet",
      console_host: "10.9.9.9",
    };
    this.nodes.push(node);
    return node;
  }

  async stop(): Promise<void> {
    for (const client of this.#sockets.clients) client.terminate();
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #openConsole(client: WebSocket): void {
    this.consoles.push(client);
    let state = makeTerminal();
    client.send(`\r\n${PROMPT}`);
    client.on("message", (data) => {
      this.typed.push(String(data));
      const fed = feed(state, String(data), PROMPT);
      state = fed.state;
      const outputs = fed.entered.map(({ screen, line }) => `${screen}<${line}>\r\n\r\n${PROMPT}`);
      const [first] = fed.entered;
      if (first?.line === "slow") {
        for (const part of [first.screen, "[running]", "\r\x1b[K[running, 1.5 s of lab time]"])
          client.send(part);
        client.send(`\r\x1b[K<slow>\r\n\r\n${PROMPT}`);
      } else client.send(outputs.join("") + fed.screen);
      if (fed.entered.some(({ line }) => line === "halt")) client.close(1000);
    });
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method, url = "" } = request;
    this.requests.push(`${method} ${url}`);
    this.headers.push(request.headers);
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    this.bodies.push(Buffer.concat(chunks).toString());
    const send = (status: number, value?: unknown): void => {
      const body = value === undefined ? "" : JSON.stringify(value);
      response.writeHead(status, { "content-type": "application/json", etag: '"x"' }).end(body);
    };
    if (request.headers.authorization !== AUTHORIZATION) return send(401, { message: "Who are you?" });
    const [, project, rest = ""] = /^\/v2\/projects\/([^/]+)(.*)$/.exec(url) ?? [];
    const found = this.projects.find(({ project_id }) => project_id === project);
    if (url === "/v2/projects") return send(200, this.projects);
    if (url === "/v2/version") return send(200, { version: "1" });
    if (rest === "/notifications") {
      response.writeHead(200, { "content-type": "application/json" }).flushHeaders();
      this.streams.push(response);
      return;
    }
    if (found === undefined) return send(404, { message: `Project ID ${project} doesn't exist` });
    if (method === "DELETE") return send(204);
    if (rest === "/close" || rest === "/open") {
      found.status = rest === "/open" ? "opened" : "closed";
      return send(201, found);
    }
    const nodes = this.nodes.filter(({ project_id }) => project_id === project);
    if (rest === "/nodes" && method === "GET") return send(200, nodes);
    if (method === "PUT") {
      const node = nodes.find(({ node_id }) => rest === `/nodes/${node_id}`);
      return send(200, Object.assign(node!, JSON.parse(this.bodies.at(-1)!)));
    }
    if (rest.startsWith("/nodes")) return send(201, nodes[0]);
    return send(200, found);
  }
}
