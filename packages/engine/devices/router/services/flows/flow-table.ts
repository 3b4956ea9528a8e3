/**
 * Counts packets and bytes by flow, as NetFlow version 9 defines a flow (RFC 3954, section 2): packets with the same addresses, ports,
 * protocol and DSCP that arrived at the same interface. The table is full at its limit: the flow that is silent for the longest time
 * then leaves it.
 */

export interface FlowKey {
  /** The name of the interface. */
  readonly arrivedAt: string;
  readonly family: "ipv4" | "ipv6";
  readonly protocol: number;
  readonly source: string;
  readonly target: string;
  /** 0 for protocols without ports, and for fragments other than the first. */
  readonly sourcePort: number;
  /** For ICMP type * 256 + code, as in NetFlow. */
  readonly targetPort: number;
  readonly dscp: number;
}

export interface Flow extends FlowKey {
  packets: number;
  /** The lengths of the IP packets, with their headers. */
  bytes: number;
  readonly firstUs: number;
  lastUs: number;
}

/** A flow as plain JSON data, in short form. */
export type SavedFlow = readonly [
  arrivedAt: string,
  family: 4 | 6,
  protocol: number,
  source: string,
  sourcePort: number,
  target: string,
  targetPort: number,
  dscp: number,
  packets: number,
  bytes: number,
  firstUs: number,
  lastUs: number,
];

export interface SavedFlows {
  /** The one that is silent for the longest time first. */
  readonly flows: readonly SavedFlow[];
  /** Flows that have left the full table. */
  readonly removed: number;
}

export class FlowTable {
  /** The flow that is silent for the longest time first. */
  readonly #flows = new Map<string, Flow>();
  #removed: number;

  constructor(saved: SavedFlows = { flows: [], removed: 0 }) {
    this.#removed = saved.removed;
    for (const each of saved.flows) this.#add(fromSaved(each));
  }

  get removed(): number {
    return this.#removed;
  }

  /** @param limit the most flows that the table has after this packet. */
  count(key: FlowKey, bytes: number, nowUs: number, limit: number): void {
    const text = textOf(key);
    const flow = this.#flows.get(text) ?? { ...key, packets: 0, bytes: 0, firstUs: nowUs, lastUs: nowUs };
    flow.packets += 1;
    flow.bytes += bytes;
    flow.lastUs = nowUs;
    this.#flows.delete(text);
    this.#flows.set(text, flow);
    this.shrink(limit);
  }

  /** Removes flows until `limit` are left. */
  shrink(limit: number): void {
    for (const text of this.#flows.keys()) {
      if (this.#flows.size <= limit) return;
      this.#flows.delete(text);
      this.#removed += 1;
    }
  }

  /** The flow with the most bytes first; of equal ones, the one that began first. */
  list(): Flow[] {
    return [...this.#flows.values()].sort(
      (one, other) => other.bytes - one.bytes || one.firstUs - other.firstUs,
    );
  }

  clear(): void {
    this.#flows.clear();
    this.#removed = 0;
  }

  /** Undefined if there is nothing to keep. */
  save(): SavedFlows | undefined {
    if (this.#flows.size === 0) return undefined;
    return { flows: [...this.#flows.values()].map(toSaved), removed: this.#removed };
  }

  #add(flow: Flow): void {
    this.#flows.set(textOf(flow), flow);
  }
}

const textOf = (key: FlowKey): string =>
  `${key.arrivedAt} ${key.protocol} ${key.source} ${key.sourcePort} ${key.target} ${key.targetPort} ${key.dscp}`;

const toSaved = (flow: Flow): SavedFlow => [
  flow.arrivedAt,
  flow.family === "ipv4" ? 4 : 6,
  flow.protocol,
  flow.source,
  flow.sourcePort,
  flow.target,
  flow.targetPort,
  flow.dscp,
  flow.packets,
  flow.bytes,
  flow.firstUs,
  flow.lastUs,
];

function fromSaved(saved: SavedFlow): Flow {
  const [arrivedAt, family, protocol, source, sourcePort, target, targetPort, dscp, ...counts] = saved;
  const [packets, bytes, firstUs, lastUs] = counts;
  const key = { arrivedAt, protocol, source, sourcePort, target, targetPort, dscp };
  return { ...key, family: family === 4 ? "ipv4" : "ipv6", packets, bytes, firstUs, lastUs };
}

declare module "../base/service.ts" {
  interface SavedServices {
    readonly flows?: SavedFlows;
  }
}
