/** A minimal client of the service for the demo. */

const BASE = (process.env.WIRELAB_URL ?? `http://127.0.0.1:${process.env.PORT ?? 3080}/v2`).replace(
  /\/$/,
  "",
);

/** For a service with authentication. */
const { WIRELAB_USER = "admin", WIRELAB_PASSWORD } = process.env;

const CREDENTIALS: Record<string, string> = WIRELAB_PASSWORD
  ? { authorization: `Basic ${Buffer.from(`${WIRELAB_USER}:${WIRELAB_PASSWORD}`).toString("base64")}` }
  : {};

interface Direction {
  readonly from: string;
  readonly to: string;
  readonly in: { readonly packets: number };
  readonly delivered: { readonly packets: number };
  readonly filters: Readonly<Record<string, { readonly dropped: number }>>;
  readonly delay_ms: { readonly p50: number; readonly max: number } | null;
}

export interface RunReport {
  readonly consoles: readonly { readonly output: string }[];
  readonly links: readonly { readonly directions: readonly Direction[] }[];
  readonly elapsed: number;
  readonly events: number;
  readonly digest: string;
}

type Json = Record<string, unknown>;

/** @throws Error with the request and the response, unless the request succeeded. */
async function send(method: string, path: string, body?: unknown): Promise<Response> {
  if (!URL.canParse(BASE)) throw new Error(`WIRELAB_URL is ${JSON.stringify(BASE)}, which is no URL`);
  const response = await fetch(`${BASE}${path}`, {
    method,
    headers: CREDENTIALS,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }).catch(() => {
    throw new Error(`Nothing answers at ${BASE}. Start the service first: npm start`);
  });
  if (response.status === 401)
    throw new Error(`${BASE} requires credentials: set WIRELAB_USER and WIRELAB_PASSWORD`);
  if (response.status === 404 && path === "/projects") {
    throw new Error(`${BASE} is not where the interface is: the address ends in its stage, such as /v2`);
  }
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return response;
}

async function post(path: string, body?: unknown): Promise<Json> {
  const response = await send("POST", path, body);
  return response.status === 204 ? {} : ((await response.json()) as Json);
}

export class LabClient {
  async createLab(project: Json): Promise<Lab> {
    const { project_id } = await post("/projects", project);
    return new Lab(`/projects/${project_id}`);
  }
}

export class Lab {
  readonly #path: string;
  readonly #nodes = new Map<string, string>();

  constructor(path: string) {
    this.#path = path;
  }

  nodeId(name: string): string {
    const id = this.#nodes.get(name);
    if (id === undefined) throw new Error(`There is no node ${name}`);
    return id;
  }

  nameOf(nodeId: string): string {
    for (const [name, id] of this.#nodes) if (id === nodeId) return name;
    return nodeId;
  }

  async addNode(name: string, node_type: string, properties: Json = {}): Promise<void> {
    const { node_id } = await this.post("/nodes", { name, node_type, properties, compute_id: "local" });
    this.#nodes.set(name, String(node_id));
  }

  async addLink(one: [string, number], other: [string, number], filters: Json = {}): Promise<string> {
    const nodes = [one, other].map(([name, port_number]) => ({
      node_id: this.nodeId(name),
      adapter_number: 0,
      port_number,
    }));
    return String((await this.post("/links", { nodes, filters })).link_id);
  }

  /** Types a command on a node's console. @returns the console output. */
  async type(name: string, command: string): Promise<string> {
    return String((await this.post(`/nodes/${this.nodeId(name)}/console`, { commands: [command] })).output);
  }

  async run(request: Json): Promise<RunReport> {
    return (await this.post("/run", request)) as unknown as RunReport;
  }

  post(path: string, body?: unknown): Promise<Json> {
    return post(`${this.#path}${path}`, body);
  }

  async download(path: string): Promise<Uint8Array> {
    return new Uint8Array(await (await send("GET", `${this.#path}${path}`)).arrayBuffer());
  }
}
