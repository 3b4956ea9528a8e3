/** A lab that only one connection uses, and its model. */
import { parsePcap } from "../../helpers/captures/pcap.ts";
import { type Ask, type Caller, type Reply, wasCarriedOut } from "./caller.ts";
import {
  type CaptureModel,
  isPc,
  type LabModel,
  type LinkModel,
  type NodeModel,
  type Traffic,
  textOf,
} from "./lab-model.ts";
import type { Tally } from "./tally.ts";

export interface Change {
  readonly route: string;
  readonly method: "POST" | "PUT" | "DELETE";
  readonly path: string;
  readonly ask?: Ask;
  /** Expected status on success. */
  readonly status: number;
  /** Applies the request's effect to the model. Absent for requests that create: the response of the retry shows the outcome. */
  readonly apply?: (model: LabModel) => void;
}

export class OwnLab {
  model: LabModel = { status: "opened", zoom: 100, nodes: {}, links: {}, captures: {} };
  /** Switch ports of links that were added later. */
  readonly switchPorts: Record<string, number> = {};
  /** Expected packets by capture. */
  readonly traffic: Record<string, Traffic> = {};
  readonly path: string;
  readonly projectId: string;
  pc1 = "";
  pc2 = "";
  switchId = "";
  link1 = "";
  link2 = "";
  readonly #caller: Caller;
  readonly #tally: Tally;

  constructor(caller: Caller, tally: Tally, projectId: string) {
    this.#caller = caller;
    this.#tally = tally;
    this.projectId = projectId;
    this.path = `/projects/${projectId}`;
  }

  complain(what: string): void {
    this.#tally.complain(`${this.path}: ${what}`);
  }

  expect(is: boolean, what: () => string): void {
    if (!is) this.complain(what());
  }

  /** Makes a change. While its outcome is unknown, the lab must be in the state before or after it. */
  async change({ route, method, path, ask, status, apply }: Change): Promise<Reply> {
    const after = structuredClone(this.model);
    apply?.(after);
    const onUnknown = async (): Promise<void> => {
      if (apply === undefined) return;
      const seen = textOf(await this.observe());
      const either = [textOf(this.model), textOf(after)];
      this.expect(either.includes(seen), () => `${route}: between\n${either[0]}\n${seen}\n${either[1]}`);
    };
    const reply = await this.#caller.until(route, method, path, ask, onUnknown);
    const { attempts, bytes } = reply;
    // An earlier attempt, whose response was lost, has deleted it.
    const isGone = method === "DELETE" && reply.status === 404;
    const isDone = reply.status === status || (attempts > 1 && (isGone || wasCarriedOut(reply)));
    this.expect(isDone, () => `${route}: ${reply.status} ${bytes.toString("utf8", 0, 300)}`);
    if (isDone) this.model = after;
    return reply;
  }

  /** Reads; any status other than 200 is an error. */
  async read(route: string, path: string, ask?: Ask): Promise<Reply> {
    const reply = await this.#caller.until(route, "GET", path, ask);
    this.expect(
      reply.status === 200,
      () => `${route}: ${reply.status} ${reply.bytes.toString("utf8", 0, 300)}`,
    );
    return reply;
  }

  /** Returns the lab's state as the service shows it. */
  async observe(): Promise<LabModel> {
    const [project, nodes, links] = [
      await this.read("getProject", this.path),
      await this.read("listNodes", `${this.path}/nodes`),
      await this.read("listLinks", `${this.path}/links`),
    ].map(({ json }) => json);
    const seen: LabModel = { status: project.status, zoom: project.zoom, nodes: {}, links: {}, captures: {} };
    for (const node of nodes) seen.nodes[node.node_id] = seenNode(node);
    for (const link of links) {
      seen.links[link.link_id] = seenLink(link);
      const { json } = await this.read("listCaptures", `${this.path}/links/${link.link_id}/captures`);
      for (const { capture_id, status } of json) seen.captures[capture_id] = { link: link.link_id, status };
    }
    return seen;
  }

  async checkAll(): Promise<void> {
    const [seen, wanted] = [textOf(await this.observe()), textOf(this.model)];
    this.expect(seen === wanted, () => `is not as it should be\n${wanted}\n${seen}`);
    for (const [id, capture] of Object.entries(this.model.captures)) await this.checkCapture(id, capture);
  }

  async checkCapture(id: string, { link, status }: CaptureModel): Promise<void> {
    const path = `${this.path}/links/${link}/captures/${id}`;
    const { json } = await this.read("getCapture", path);
    const { bytes } = await this.read("downloadCapture", `${path}/pcap`);
    this.checkFile(id, bytes);
    const packets = parsePcap(bytes).length;
    this.expect(json.status === status, () => `capture ${id} is ${json.status}, not ${status}`);
    this.expect(
      json.packets === packets,
      () => `capture ${id} says ${json.packets} packets, holds ${packets}`,
    );
  }

  checkFile(id: string, bytes: Buffer): void {
    const found = textOf(trafficIn(parsePcap(bytes).map(({ data }) => data)));
    const wanted = textOf(this.traffic[id]);
    this.expect(found === wanted, () => `capture ${id} holds ${found}, not ${wanted}`);
  }

  /** Adds traffic of the first link to the capture that runs there. */
  carry({ echoes = 0, replayed = 0 }: Partial<Traffic>): void {
    const id = this.model.links[this.link1]!.capture;
    if (id === null) return;
    this.traffic[id]!.echoes += echoes;
    this.traffic[id]!.replayed += replayed;
  }

  /** Returns a free port of the switch; the PCs use the first two. */
  freePort(): number {
    const taken = new Set(this.extraLinks.map((id) => this.switchPorts[id]));
    return [2, 3, 4, 5, 6, 7].find((port) => !taken.has(port))!;
  }

  /** Nodes and links that were added after the first ones. */
  get extraNodes(): string[] {
    return Object.entries(this.model.nodes).flatMap(([id, { name }]) => (name.startsWith("X") ? [id] : []));
  }

  get extraLinks(): string[] {
    return Object.keys(this.model.links).filter((id) => id !== this.link1 && id !== this.link2);
  }

  get pcs(): NodeModel[] {
    return Object.values(this.model.nodes).filter(isPc);
  }
}

// biome-ignore lint/suspicious/noExplicitAny: the service's responses
type Json = any;

export const seenNode = ({ name, status, x }: Json): NodeModel => ({ name, status, x });

/** Converts a link to its model. The path contains the id of the running capture. */
export const seenLink = ({ nodes, filters, capture_file_path }: Json): LinkModel => ({
  ends: nodes.map(({ node_id }: Json) => node_id),
  delayMs: filters.delay?.[0] ?? 0,
  capture: capture_file_path?.split("/").at(-2) ?? null,
});

const ETHERTYPE_AT = 12;
const ETHERTYPE_IPV4 = 0x0800;
const PROTOCOL_AT = 23;
const ICMP = 1;

/** Counts frames by kind; replayed packets have zeros in place of the EtherType. */
export function trafficIn(frames: readonly Buffer[]): Traffic {
  const ethertypes = frames.map((frame) => frame.readUInt16BE(ETHERTYPE_AT));
  const echoes = frames.filter(
    (frame, index) => ethertypes[index] === ETHERTYPE_IPV4 && frame[PROTOCOL_AT] === ICMP,
  );
  return { echoes: echoes.length, replayed: ethertypes.filter((type) => type === 0).length };
}
