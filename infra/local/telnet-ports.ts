/**
 * Telnet ports for the consoles of the local service: each node of an opened project listens on 127.0.0.1, on the port of its number
 * `console`. If another program or a node of another project has that port, the node gets another number, which is stored.
 *
 * The gateway reports each change, so nothing is polled: without changes, and without telnet clients, the ports cost nothing.
 */
import {
  consolePath,
  getJson,
  openSocket,
  putJson,
  type Service,
} from "../../packages/wirelab/service/service.ts";
import { type ConsoleNode, ConsolePorts } from "../../packages/wirelab/telnet/console-ports.ts";

/** Changes that follow each other, such as the nodes of a new lab, are one. */
const TOGETHER_MS = 250;

/** Changes of nodes, and of projects that open or close; runs are none. */
const CHANGES =
  /^\/projects\/([^/]+)(\/(open|close|load|import|templates\/[^/]+|snapshots\/[^/]+\/restore|nodes(\/[^/]+(\/duplicate)?)?))?$/;
/** Runs of all nodes at the same path as a node. */
const POWER = /\/nodes\/(start|stop|suspend|reload)$/;

interface Project {
  readonly project_id: string;
  readonly status: "opened" | "closed";
}

type Node = ConsoleNode & { readonly compute_id: string; readonly console_type: string | null };

export class TelnetPorts {
  readonly #service: Service;
  readonly #report: (problem: string) => void;
  readonly #ports: ConsolePorts;
  /** Projects whose change has not been followed yet. */
  readonly #timers = new Map<string, NodeJS.Timeout>();
  #last: Promise<void> = Promise.resolve();
  readonly #stopping = new AbortController();

  /** @param report receives what prevents a port, as one line. */
  constructor(service: Service, report: (problem: string) => void) {
    this.#service = { ...service, signal: this.#stopping.signal };
    this.#report = report;
    this.#ports = new ConsolePorts(({ project_id, node_id }) =>
      openSocket(service, consolePath(project_id, node_id)),
    );
  }

  /** Opens the ports of all opened projects. What prevents that is reported. */
  async openAll(): Promise<void> {
    this.#enqueue("of all projects", async () => {
      const projects = (await getJson(this.#service, "/projects")) as readonly Project[];
      for (const { project_id, status } of projects)
        if (status === "opened") this.#follow(project_id, async () => true);
    });
    for (let last: unknown; last !== this.#last; ) {
      last = this.#last;
      await last;
    }
  }

  /** Notes a successful request. @param path below the stage. */
  noteRequest(method: string, path: string): void {
    if (["GET", "HEAD", "OPTIONS"].includes(method) || POWER.test(path)) return;
    const projectId = CHANGES.exec(path)?.[1];
    if (projectId === undefined || this.#isStopped) return;
    clearTimeout(this.#timers.get(projectId));
    const timer = setTimeout(() => {
      this.#timers.delete(projectId);
      this.#follow(projectId);
    }, TOGETHER_MS);
    this.#timers.set(projectId, timer);
  }

  get #isStopped(): boolean {
    return this.#stopping.signal.aborted;
  }

  /** Ends the request that is waiting for an answer; those that have not begun are left out, however many there are. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    for (const timer of this.#timers.values()) clearTimeout(timer);
    await this.#last;
    this.#ports.stop();
  }

  #follow(projectId: string, isOpened = () => this.#isOpened(projectId)): void {
    this.#enqueue(`of the project ${projectId}`, async () => this.#openPorts(projectId, await isOpened()));
  }

  /** One project after another, so that two nodes do not get one port. */
  #enqueue(what: string, task: () => Promise<void>): void {
    this.#last = this.#last
      .then(() => (this.#isStopped ? undefined : task()))
      .catch((error: Error) => {
        if (!this.#isStopped) this.#report(`Telnet ports ${what}: ${error.message}`);
      });
  }

  async #isOpened(projectId: string): Promise<boolean> {
    const projects = (await getJson(this.#service, "/projects")) as readonly Project[];
    return projects.some(({ project_id, status }) => project_id === projectId && status === "opened");
  }

  async #openPorts(projectId: string, isOpened: boolean): Promise<void> {
    const nodes = isOpened
      ? ((await getJson(this.#service, `/projects/${projectId}/nodes`)) as readonly Node[])
      : [];
    // A registered compute, which may be on this machine, listens for its own nodes.
    const withConsole = nodes.filter(
      ({ compute_id, console_type }) => compute_id === "local" && console_type === "telnet",
    );
    this.#ports.keepOnly(projectId, new Set(withConsole.map(({ node_id }) => node_id)));
    for (const node of withConsole) if (!this.#isStopped) await this.#openPort(node);
  }

  async #openPort(node: Node): Promise<void> {
    const { project_id, node_id, console } = node;
    if (console === null) return;
    const port = await this.#ports.portOf({ project_id, node_id, console });
    if (port !== console)
      await putJson(this.#service, `/projects/${project_id}/nodes/${node_id}`, { console: port });
  }
}
