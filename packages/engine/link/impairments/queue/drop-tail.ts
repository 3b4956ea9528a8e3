/** First in, first out; a packet that finds the queue full is lost. */
import type { Queue } from "../settings/direction-settings.ts";
import type { WirePacket } from "../wire-packet.ts";
import type { Casualties, Discipline } from "./discipline.ts";
import { PacketRing } from "./packet-ring.ts";

export class DropTail implements Discipline {
  protected readonly ring = new PacketRing();
  readonly #settings: Queue;
  protected readonly casualties: Casualties;

  constructor(settings: Queue, casualties: Casualties) {
    this.#settings = settings;
    this.casualties = casualties;
  }

  get length(): number {
    return this.ring.length;
  }

  get bytes(): number {
    return this.ring.bytes;
  }

  enqueue(packet: WirePacket, nowNs: number): void {
    const { limit, limit_bytes: limitBytes } = this.#settings;
    const { ring } = this;
    if (ring.length >= limit || (limitBytes > 0 && ring.bytes + packet.wireLength > limitBytes)) {
      this.casualties.lose(packet, "queue.full");
      return;
    }
    packet.queuedNs = nowNs;
    ring.push(packet);
  }

  dequeue(_nowNs: number): WirePacket | undefined {
    return this.ring.shift();
  }

  drain(): WirePacket[] {
    return this.ring.drain();
  }

  freeze(): readonly WirePacket[] {
    return this.ring.list();
  }

  thaw(frozen: unknown): void {
    for (const packet of frozen as readonly WirePacket[]) this.ring.push(packet);
  }

  saveState(_originNs: number): unknown {
    return undefined;
  }
}
