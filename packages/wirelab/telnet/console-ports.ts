/**
 * The telnet ports of nodes. A node gets the port of its number `console` if that is free, else another. A port that no client uses costs
 * nothing: a console is opened when a telnet client connects.
 */
import { type OpenConsole, startTelnetServer, type TelnetServer } from "./telnet-server.ts";

/** The fields of a node that its port depends on. */
export interface ConsoleNode {
  readonly project_id: string;
  readonly node_id: string;
  /** The wanted port; null for nodes without a console. */
  readonly console: number | null;
}

interface Claim {
  readonly projectId: string;
  readonly wanted: number;
  readonly server: Promise<TelnetServer>;
}

/** The ports that are tried after the wanted one, before the system chooses. */
const NEXT_PORTS = 64;

export class ConsolePorts {
  readonly #open: (node: ConsoleNode) => ReturnType<OpenConsole>;
  /** By node id. */
  readonly #claims = new Map<string, Claim>();

  /** @param open opens the console of a node. */
  constructor(open: (node: ConsoleNode) => ReturnType<OpenConsole>) {
    this.#open = open;
  }

  /** Returns the port on which the node's console listens, which it opens at the first call. */
  async portOf(node: ConsoleNode & { readonly console: number }): Promise<number> {
    const before = this.#claims.get(node.node_id);
    const port = before && (await before.server).port;
    if (port !== undefined && (port === node.console || before!.wanted === node.console)) return port;
    this.release(node.node_id);
    const { project_id: projectId, console: wanted } = node;
    const claim = { projectId, wanted, server: listenNear(wanted, () => this.#open(node)) };
    this.#claims.set(node.node_id, claim);
    return (await claim.server).port;
  }

  /** Closes the ports of all nodes of a project, except the named ones. */
  keepOnly(projectId: string, nodeIds: ReadonlySet<string> = new Set()): void {
    for (const [nodeId, claim] of this.#claims) {
      if (claim.projectId === projectId && !nodeIds.has(nodeId)) this.release(nodeId);
    }
  }

  release(nodeId: string): void {
    this.#close(nodeId, false);
  }

  /** Closes all ports and their connections. */
  stop(): void {
    for (const nodeId of this.#claims.keys()) this.#close(nodeId, true);
  }

  #close(nodeId: string, isFinal: boolean): void {
    const claim = this.#claims.get(nodeId);
    this.#claims.delete(nodeId);
    claim?.server.then(
      (server) => server.stop(isFinal),
      () => {},
    );
  }
}

async function listenNear(wanted: number, open: OpenConsole): Promise<TelnetServer> {
  for (let port = wanted; port < Math.min(65_536, wanted + NEXT_PORTS); port++) {
    try {
      return await startTelnetServer(port, open);
    } catch (error) {
      if (!["EADDRINUSE", "EACCES"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
    }
  }
  return startTelnetServer(0, open);
}
