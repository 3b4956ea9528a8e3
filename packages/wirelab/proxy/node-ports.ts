/**
 * Gives the nodes that pass through the proxy telnet ports: rewrites `console` and `console_host` in every node of an opened project, in
 * answers and in events, and opens the port before the client sees its number.
 */

import { consolePath, getJson, openSocket, type Service } from "../service/service.ts";
import { type ConsoleNode, ConsolePorts } from "../telnet/console-ports.ts";
import { TELNET_HOST } from "../telnet/telnet-server.ts";

type Json = Record<string, unknown>;

export class NodePorts {
  readonly #service: Service;
  readonly #ports: ConsolePorts;
  /** Whether a project is opened, by its id. */
  readonly #opened = new Map<string, Promise<boolean>>();

  constructor(service: Service) {
    this.#service = service;
    this.#ports = new ConsolePorts(({ project_id, node_id }) =>
      openSocket(service, consolePath(project_id, node_id)),
    );
  }

  /** Opens the ports of all opened projects. @returns the nodes, with their ports. */
  async openAll(): Promise<readonly Json[]> {
    const projects = (await this.rewrite(await getJson(this.#service, "/projects"))) as readonly Json[];
    const opened = projects.filter(({ status }) => status === "opened");
    const lists = await Promise.all(
      opened.map(async ({ project_id }) =>
        this.rewrite(await getJson(this.#service, `/projects/${project_id}/nodes`)),
      ),
    );
    return lists.flat().filter((node): node is Json => typeof (node as Json).console === "number");
  }

  /** Returns a JSON value with the ports of the nodes in it. */
  async rewrite(value: unknown): Promise<unknown> {
    if (Array.isArray(value)) return Promise.all(value.map((each) => this.rewrite(each)));
    if (typeof value !== "object" || value === null) return value;
    const object = value as Json;
    if (typeof object.action === "string") return this.#rewriteEvent(object as Json & { action: string });
    if (isNode(object)) return this.#rewriteNode(object);
    if (typeof object.project_id === "string") this.#noteProject(object.project_id, object.status);
    return value;
  }

  /** Notes a deletion, which has no answer with the deleted object. @param path below the stage. */
  noteDeleted(path: string): void {
    const [, projectId, nodeId] = /^\/projects\/([^/]+)(?:\/nodes\/([^/]+))?$/.exec(path) ?? [];
    if (nodeId !== undefined) this.#ports.release(nodeId);
    else if (projectId !== undefined) this.#noteProject(projectId, "closed");
  }

  stop(): void {
    this.#ports.stop();
  }

  async #rewriteEvent(message: Json & { readonly action: string }): Promise<Json> {
    const { action, event } = message;
    if (action === "node.deleted") this.#ports.release(String((event as Json).node_id));
    else if (action === "project.deleted") this.#noteProject(String((event as Json).project_id), "closed");
    else if (/^(node|project)\./.test(action)) return { ...message, event: await this.rewrite(event) };
    return message;
  }

  async #rewriteNode(node: Json & ConsoleNode): Promise<Json> {
    const { console: wanted, console_type } = node;
    if (wanted === null || console_type !== "telnet") return node;
    if (!(await this.#isOpened(node.project_id))) return node;
    const port = await this.#ports.portOf({ ...node, console: wanted });
    return { ...node, console: port, console_host: TELNET_HOST };
  }

  #noteProject(projectId: string, status: unknown): void {
    if (status !== "opened" && status !== "closed") return;
    this.#opened.set(projectId, Promise.resolve(status === "opened"));
    if (status === "closed") this.#ports.keepOnly(projectId);
  }

  #isOpened(projectId: string): Promise<boolean> {
    const known = this.#opened.get(projectId);
    if (known) return known;
    const asked = getJson(this.#service, `/projects/${projectId}`).then(
      (project) => (project as Json).status === "opened",
      () => false,
    );
    this.#opened.set(projectId, asked);
    return asked;
  }
}

const isNode = (value: Json): value is Json & ConsoleNode =>
  typeof value.node_id === "string" &&
  typeof value.project_id === "string" &&
  (value.console === null || typeof value.console === "number");
