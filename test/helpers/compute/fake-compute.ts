/**
 * A compute on the loopback interface: projects, nodes, UDP ports and NIOs of GNS3's compute interface, kept in memory. It can refuse
 * calls, forget everything like one that was restarted, and leave a call without an answer, before or after it has carried it out.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { WebSocketServer } from "ws";
import { FakeCaptures } from "./fake-captures.ts";

type Json = Record<string, unknown>;

export interface FakeNode {
  readonly project: string;
  readonly type: string;
  readonly settings: Json;
  status: string;
  /** By `adapter/port`. */
  readonly nios: Map<string, Json>;
  /** The node's working folder. */
  files: string;
}

interface Interruption {
  /** Counted from the next call. */
  readonly call: number;
  readonly when: "before" | "after";
  readonly happened: () => void;
}

type Reply = readonly [status: number, body?: unknown];

const NOT_FOUND: Reply = [404, { message: "not found", status: 404 }];
/** The body of a response that goes on while a capture runs. */
const FOLLOWED = Symbol("followed");

const jsonOf = (sent: string): Json => {
  try {
    return JSON.parse(sent) as Json;
  } catch {
    return {};
  }
};

/** `<node>/adapters/<adapter>/ports/<port>` in the path of a call. */
const portOf = (path: string): string => /[^/]+\/adapters\/\d+\/ports\/\d+/.exec(path)?.[0] ?? "";

const WITHOUT_DUPLICATE = new Set(["cloud", "nat"]);
const ALWAYS_ON = new Set(["cloud", "nat", "ethernet_switch", "ethernet_hub"]);

export class FakeCompute {
  readonly nodeTypes: readonly string[];
  readonly projects = new Set<string>();
  readonly nodes = new Map<string, FakeNode>();
  readonly captures = new FakeCaptures();
  /** The files that callers have written, by project and path. */
  readonly written = new Map<string, string>();
  /** `METHOD path` of each call, with the ids of nodes replaced by the names of the nodes. */
  readonly calls: string[] = [];
  #server: Server;
  readonly #sockets = new WebSocketServer({ noServer: true });
  #interruption: Interruption | undefined;
  #refusal: { readonly call: RegExp; readonly reply: Reply } | undefined;
  #nextPort = 20_000;
  #nextConsole = 5_000;
  #seen = 0;

  /** @param nodeTypes what it says that it runs; it makes nodes of all types. */
  constructor(nodeTypes: readonly string[] = ["vpcs"]) {
    this.nodeTypes = nodeTypes;
    this.#server = createServer((request, response) => {
      this.#answer(request, response).catch(() => response.destroy());
    });
    this.#server.on("upgrade", (request, stream, head) => {
      if (request.url !== "/v2/compute/notifications/ws") {
        stream.destroy();
        return;
      }
      this.#sockets.handleUpgrade(request, stream, head, (socket) =>
        this.#sockets.emit("connection", socket),
      );
    });
  }

  /** How many followers its notifications have. */
  get followers(): number {
    return this.#sockets.clients.size;
  }

  /** Sends a notification to all followers. */
  notify(action: string, event: object, project_id?: string): void {
    for (const socket of this.#sockets.clients) socket.send(JSON.stringify({ action, event, project_id }));
  }

  /** Ends the connections of all followers. */
  dropFollowers(): void {
    for (const socket of this.#sockets.clients) socket.terminate();
  }

  async start(port = 0): Promise<number> {
    await new Promise<void>((resolve) => this.#server.listen(port, "127.0.0.1", resolve));
    return (this.#server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.dropFollowers();
    this.#server.closeAllConnections();
    await closed;
  }

  /** Forgets what a restarted compute forgets: all of its memory. */
  forget(): void {
    this.projects.clear();
    this.nodes.clear();
    this.captures.stopAll();
  }

  /** @returns a promise that is settled when the call has come; it never gets an answer. */
  interrupt(call: number, when: "before" | "after"): Promise<void> {
    this.#seen = 0;
    return new Promise((happened) => {
      this.#interruption = { call, when, happened };
    });
  }

  /** Answers calls that match `METHOD path` with an error, until `accept` is called. */
  refuse(call: RegExp, status: number, message: string): void {
    this.#refusal = { call, reply: [status, { message, status }] };
  }

  accept(): void {
    this.#refusal = undefined;
    this.#interruption = undefined;
  }

  nio(nodeId: string, port = "0/0"): Json | undefined {
    return this.nodes.get(nodeId)?.nios.get(port);
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const sent = await text(request);
    const body = jsonOf(sent);
    const path = (request.url ?? "").replace(/^\/v2\/compute/, "");
    const call = `${request.method} ${path}`;
    this.calls.push(call);
    this.#seen += 1;
    const interruption = this.#seen === this.#interruption?.call ? this.#interruption : undefined;
    if (interruption?.when === "before") return interruption.happened();
    const [status, answer] = this.#refusal?.call.test(call)
      ? this.#refusal.reply
      : this.#reply(request.method ?? "", path, body, sent);
    if (interruption) return interruption.happened();
    if (answer === FOLLOWED) {
      this.captures.follow(portOf(path), response);
      return;
    }
    if (answer instanceof Uint8Array) return void response.writeHead(status).end(answer);
    response.writeHead(status, { "content-type": "application/json" });
    response.end(answer === undefined ? undefined : JSON.stringify(answer));
  }

  #reply(method: string, path: string, body: Json, sent: string): Reply {
    if (path === "/projects" && method === "POST") {
      this.projects.add(String(body.project_id));
      return [201, body];
    }
    if (path === "/capabilities")
      return [200, { node_types: this.nodeTypes, platform: "linux", version: "2.2.54" }];
    if (path === "/statistics") return [200, { cpu_usage_percent: 1, memory_usage_percent: 2 }];
    const [, project = "", rest = ""] = /^\/projects\/([^/]+)(.*)$/.exec(path) ?? [];
    if (!this.projects.has(project)) return NOT_FOUND;
    const [, name] = /^\/files\/project-files\/captures\/(.+)$/.exec(rest) ?? [];
    if (name !== undefined) {
      const file = this.captures.files.get(`${project}/${name}`);
      return file === undefined ? NOT_FOUND : [200, file];
    }
    const [, file] = /^\/files\/(.+)$/.exec(rest) ?? [];
    if (file !== undefined && method === "POST") {
      this.written.set(`${project}/${decodeURIComponent(file)}`, sent);
      return [201];
    }
    if (rest === "/ports/udp") return [201, { udp_port: this.#nextPort++ }];
    if (rest === "/close" || (rest === "" && method === "DELETE")) {
      this.projects.delete(project);
      for (const [id, node] of this.nodes) if (node.project === project) this.#remove(id);
      if (method === "DELETE") this.#removeFiles(project);
      return [204];
    }
    const [, type = "", id = "", action = ""] = /^\/(\w+)\/nodes(?:\/([^/]+)(.*))?$/.exec(rest) ?? [];
    if (type === "") return NOT_FOUND;
    return id === "" ? this.#create(project, type, body) : this.#onNode(id, method, action, body);
  }

  #remove(id: string): void {
    this.nodes.delete(id);
    this.captures.stopAll(id);
  }

  #removeFiles(project: string): void {
    for (const file of this.captures.files.keys())
      if (file.startsWith(`${project}/`)) this.captures.files.delete(file);
  }

  #create(project: string, type: string, body: Json): Reply {
    const id = String(body.node_id);
    if (!this.nodes.has(id)) {
      const console = type === "cloud" ? null : (body.console ?? this.#nextConsole++);
      const settings = { console_type: "telnet", ...body, console, node_directory: `/nodes/${id}` };
      const status = ALWAYS_ON.has(type) ? "started" : "stopped";
      this.nodes.set(id, { project, type, settings, status, nios: new Map(), files: `files of ${id}` });
    }
    return [201, this.#view(id)];
  }

  #view(id: string): Json {
    const { settings, status } = this.nodes.get(id)!;
    return { ...settings, status };
  }

  #onNode(id: string, method: string, action: string, body: Json): Reply {
    const node = this.nodes.get(id);
    if (node === undefined) return NOT_FOUND;
    const [, adapter, port] = /^\/adapters\/(\d+)\/ports\/(\d+)\/nio$/.exec(action) ?? [];
    if (adapter !== undefined) return this.#onNio(id, node, method, `${adapter}/${port}`, body);
    const [, captured] =
      /^\/adapters\/\d+\/ports\/\d+\/(start_capture|stop_capture|pcap)$/.exec(action) ?? [];
    if (captured !== undefined) return this.#onCapture(node, `${id}${action}`, captured, body);
    switch (`${method} ${action}`) {
      case "GET ":
        return [200, this.#view(id)];
      case "PUT ":
        Object.assign(node.settings, body);
        return [200, this.#view(id)];
      case "DELETE ":
        this.#remove(id);
        return [204];
      case "POST /start":
      case "POST /reload":
        node.status = "started";
        return action === "/start" ? [200, this.#view(id)] : [204];
      case "POST /stop":
        node.status = "stopped";
        this.captures.stopAll(id);
        return [204];
      case "POST /suspend":
        node.status = "suspended";
        return [204];
      case "POST /duplicate":
        return this.#duplicate(node, String(body.destination_node_id));
      default:
        return NOT_FOUND;
    }
  }

  #duplicate(source: FakeNode, id: string): Reply {
    const copy = this.nodes.get(id);
    if (copy === undefined || WITHOUT_DUPLICATE.has(source.type)) return NOT_FOUND;
    copy.files = source.files;
    return [201, this.#view(id)];
  }

  #onCapture(node: FakeNode, path: string, action: string, body: Json): Reply {
    const port = portOf(path);
    if (node.nios.size === 0) return [409, { message: "Port 0 is not connected" }];
    if (action === "pcap") {
      return this.captures.isRunning(port) ? [200, FOLLOWED] : [409, { message: "Nothing to stream" }];
    }
    if (action === "stop_capture") {
      this.captures.stop(port);
      return [204];
    }
    const file = `${node.project}/${String(body.capture_file_name)}`;
    if (!this.captures.start(port, file))
      return [409, { message: "Packet capture is already active on port 0" }];
    return [200, { pcap_file_path: file }];
  }

  #onNio(id: string, node: FakeNode, method: string, port: string, body: Json): Reply {
    const isTaken = node.nios.has(port);
    if (method === "POST" && isTaken && node.status === "started")
      return [409, { message: `Port ${port} isn't free` }];
    if (method !== "POST" && !isTaken) return [409, { message: `Port ${port} is not connected` }];
    if (method === "DELETE") {
      node.nios.delete(port);
      this.captures.stopAll(`${id}/adapters/${port.replace("/", "/ports/")}`);
      return [204];
    }
    node.nios.set(port, body);
    return [201, body];
  }
}
