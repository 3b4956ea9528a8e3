/** One connection: uses the routes in random order, one request at a time. */
import { Caller } from "./caller.ts";
import { OwnLab, seenLink, seenNode } from "./own-lab.ts";
import type { Shared } from "./shared.ts";
import type { Tally } from "./tally.ts";

/** Mulberry32: the same numbers for the same seed. */
function makeRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const end = (node_id: string, port_number = 0) => ({ node_id, adapter_number: 0, port_number });

export class Worker {
  readonly caller: Caller;
  readonly shared: Shared;
  readonly constants: Map<string, Buffer>;
  readonly random: () => number;
  readonly symbolId: string;
  readonly symbolPath: string;
  symbol: { readonly svg: string; readonly width: number } | undefined;
  compute: { readonly id: string; readonly name: string; port: number } | undefined;
  lab!: OwnLab;
  readonly #number: number;
  readonly #tally: Tally;
  #count = 0;

  constructor(
    base: string,
    shared: Shared,
    tally: Tally,
    place: { number: number; seed: number; constants: Map<string, Buffer> },
  ) {
    this.caller = new Caller(base, tally);
    this.shared = shared;
    this.constants = place.constants;
    this.#number = place.number;
    this.#tally = tally;
    this.random = makeRandom(place.seed * 1_000_003 + place.number);
    this.symbolId = `load-${place.number}.svg`;
    this.symbolPath = `/symbols/${this.symbolId}/raw`;
  }

  count = (): number => ++this.#count;
  fresh = (stem: string): string => `${stem}${this.#number}-${this.count()}`;
  pick = <T>(items: readonly T[]): T => items[Math.floor(this.random() * items.length)]!;

  /** Creates a lab of two PCs on a switch. */
  async makeLab(): Promise<void> {
    const project = await this.#make("createProject", "/projects", { name: this.fresh("lab") });
    const lab = new OwnLab(this.caller, this.#tally, project.project_id);
    this.lab = lab;
    const addNode = async (name: string, node_type: string, properties = {}): Promise<string> => {
      const body = { name, node_type, compute_id: "local", properties };
      const node = await this.#make("createNode", `${lab.path}/nodes`, body);
      lab.model.nodes[node.node_id] = seenNode(node);
      return node.node_id;
    };
    lab.pc1 = await addNode("PC1", "vpcs", { startup_script: "ip 10.0.0.1/24" });
    lab.pc2 = await addNode("PC2", "vpcs", { startup_script: "ip 10.0.0.2/24" });
    lab.switchId = await addNode("SW", "ethernet_switch");
    const addLink = async (node: string, port: number): Promise<string> => {
      const body = { nodes: [end(node), end(lab.switchId, port)] };
      const link = await this.#make("createLink", `${lab.path}/links`, body);
      lab.model.links[link.link_id] = seenLink(link);
      return link.link_id;
    };
    lab.link1 = await addLink(lab.pc1, 0);
    lab.link2 = await addLink(lab.pc2, 1);
    this.shared.labs += 1;
  }

  // biome-ignore lint/suspicious/noExplicitAny: the service's responses
  async #make(route: string, path: string, body: unknown): Promise<any> {
    const reply = await this.caller.until(route, "POST", path, { body, key: crypto.randomUUID() });
    if (reply.status !== 201) throw new Error(`${route}: ${reply.status} ${reply.bytes}`);
    return reply.json;
  }
}
