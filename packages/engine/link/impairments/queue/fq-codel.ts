/**
 * FQ-CoDel (RFC 8290): packets are divided among queues by their flow, each with a CoDel of its own. The queues take turns by bytes
 * (deficit round robin); queues of new flows come before those of old ones.
 */
import type { Queue } from "../settings/direction-settings.ts";
import type { WirePacket } from "../wire-packet.ts";
import { CodelControl, type CodelState } from "./codel.ts";
import type { Casualties, Discipline } from "./discipline.ts";
import { hashFlow } from "./flow-hash.ts";
import { PacketRing } from "./packet-ring.ts";

interface FlowState {
  readonly index: number;
  readonly deficit: number;
  readonly codel: CodelState;
}

export interface FqCodelState {
  readonly fresh: readonly FlowState[];
  readonly old: readonly FlowState[];
}

class Flow {
  readonly index: number;
  readonly ring = new PacketRing();
  readonly control: CodelControl;
  deficit: number;
  isListed = false;

  constructor(index: number, deficit: number, control: CodelControl) {
    this.index = index;
    this.deficit = deficit;
    this.control = control;
  }
}

export class FqCodel implements Discipline {
  readonly #settings: Queue;
  readonly #casualties: Casualties;
  readonly #salt: number;
  readonly #flows = new Map<number, Flow>();
  #fresh: Flow[] = [];
  #old: Flow[] = [];
  #length = 0;
  #bytes = 0;

  constructor(
    settings: Queue,
    casualties: Casualties,
    state: FqCodelState | undefined,
    originNs: number,
    salt: number,
  ) {
    this.#settings = settings;
    this.#salt = salt;
    this.#casualties = {
      mark: (packet, reason) => casualties.mark(packet, reason),
      lose: (packet, reason) => {
        this.#count(packet, -1);
        casualties.lose(packet, reason);
      },
    };
    const restore = (saved: readonly FlowState[] = []): Flow[] =>
      saved.map(({ index, deficit, codel }) => {
        const flow = this.#makeFlow(index, deficit, codel, originNs);
        flow.isListed = true;
        return flow;
      });
    this.#fresh = restore(state?.fresh);
    this.#old = restore(state?.old);
  }

  get length(): number {
    return this.#length;
  }

  get bytes(): number {
    return this.#bytes;
  }

  enqueue(packet: WirePacket, nowNs: number): void {
    const { flows, quantum, limit, limit_bytes: limitBytes } = this.#settings;
    const index = hashFlow(packet.data, this.#salt) % flows;
    const flow = this.#flows.get(index) ?? this.#makeFlow(index, quantum, undefined, 0);
    packet.queuedNs = nowNs;
    flow.ring.push(packet);
    this.#count(packet, 1);
    if (!flow.isListed) {
      flow.isListed = true;
      flow.deficit = quantum;
      this.#fresh.push(flow);
    }
    if (this.#length > limit || (limitBytes > 0 && this.#bytes > limitBytes)) this.#dropFromLargest();
  }

  dequeue(nowNs: number): WirePacket | undefined {
    for (;;) {
      const isFresh = this.#fresh.length > 0;
      const list = isFresh ? this.#fresh : this.#old;
      const flow = list[0];
      if (flow === undefined) return undefined;
      if (flow.deficit <= 0) {
        flow.deficit += this.#settings.quantum;
        list.shift();
        this.#old.push(flow);
        continue;
      }
      const packet = flow.control.dequeue(flow.ring, nowNs);
      if (packet === undefined) {
        list.shift();
        // An empty new queue becomes old first, so that a flow cannot stay new by sending single packets.
        if (isFresh && this.#old.length > 0) this.#old.push(flow);
        else flow.isListed = false;
        continue;
      }
      flow.deficit -= packet.wireLength;
      this.#count(packet, -1);
      return packet;
    }
  }

  drain(): WirePacket[] {
    const packets = [...this.#flows.values()].flatMap(({ ring }) => ring.drain());
    this.#length = 0;
    this.#bytes = 0;
    return packets.sort((a, b) => a.queuedNs - b.queuedNs);
  }

  freeze() {
    return {
      flows: [...this.#flows.values()].map(({ index, deficit, isListed, control, ring }) => ({
        index,
        deficit,
        isListed,
        codel: control.saveState(0),
        packets: ring.list(),
      })),
      fresh: this.#fresh.map(({ index }) => index),
      old: this.#old.map(({ index }) => index),
    };
  }

  thaw(frozen: unknown): void {
    const { flows, fresh, old } = frozen as ReturnType<FqCodel["freeze"]>;
    this.#flows.clear();
    for (const { index, deficit, isListed, codel, packets } of flows) {
      const flow = this.#makeFlow(index, deficit, codel, 0);
      flow.isListed = isListed;
      for (const packet of packets) {
        flow.ring.push(packet);
        this.#count(packet, 1);
      }
    }
    const flowAt = (index: number): Flow => this.#flows.get(index)!;
    this.#fresh = fresh.map(flowAt);
    this.#old = old.map(flowAt);
  }

  saveState(originNs: number): FqCodelState {
    const save = ({ index, deficit, control }: Flow): FlowState => ({
      index,
      deficit,
      codel: control.saveState(originNs),
    });
    return { fresh: this.#fresh.map(save), old: this.#old.map(save) };
  }

  #makeFlow(index: number, deficit: number, state: CodelState | undefined, originNs: number): Flow {
    const flow = new Flow(
      index,
      deficit,
      new CodelControl(this.#settings, this.#casualties, state, originNs),
    );
    this.#flows.set(index, flow);
    return flow;
  }

  /** Loses packets at the head of the queue with the most bytes: half of them, at most `drop_batch` (RFC 8290, section 4.1.3). */
  #dropFromLargest(): void {
    let largest: Flow | undefined;
    for (const flow of this.#flows.values()) {
      if (largest === undefined || flow.ring.bytes > largest.ring.bytes) largest = flow;
    }
    if (largest === undefined) return;
    const { ring } = largest;
    const half = ring.bytes / 2;
    let dropped = 0;
    for (
      let count = 0;
      count < this.#settings.drop_batch && ring.length > 0 && (count === 0 || dropped < half);
      count++
    ) {
      const packet = ring.shift() as WirePacket;
      dropped += packet.wireLength;
      this.#casualties.lose(packet, "queue.full");
    }
  }

  #count(packet: WirePacket, sign: 1 | -1): void {
    this.#length += sign;
    this.#bytes += sign * packet.wireLength;
  }
}
