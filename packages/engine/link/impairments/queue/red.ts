/**
 * RED (S. Floyd, V. Jacobson, "Random early detection gateways for congestion avoidance", 1993): loses packets by chance while the
 * average queue is between `min` and `max` bytes, and all above `max`. Each packet brings its own draw.
 */
import { NS_PER_SECOND } from "../../../base/time.ts";
import { PPB, type Queue } from "../settings/direction-settings.ts";
import type { WirePacket } from "../wire-packet.ts";
import type { Casualties, Discipline } from "./discipline.ts";
import { DropTail } from "./drop-tail.ts";

export interface RedState {
  readonly average: number;
  /** Packets since the last one that was lost by chance; -1 below `min`. */
  readonly count: number;
  /** Null while the queue is not empty. */
  readonly idleSinceNs: number | null;
}

export class Red extends DropTail implements Discipline {
  readonly #settings: Queue;
  /** The time of an average packet, in nanoseconds. */
  readonly #packetNs: number;
  #average: number;
  #count: number;
  #idleSinceNs: number | null;

  constructor(
    settings: Queue,
    rate: number,
    casualties: Casualties,
    state: RedState | undefined,
    originNs: number,
  ) {
    super(settings, casualties);
    this.#settings = settings;
    this.#packetNs = rate > 0 ? (settings.avpkt * 8 * NS_PER_SECOND) / rate : 1;
    this.#average = state?.average ?? 0;
    this.#count = state?.count ?? -1;
    const idle = state?.idleSinceNs;
    this.#idleSinceNs = idle === undefined || idle === null ? null : idle + originNs;
  }

  override enqueue(packet: WirePacket, nowNs: number): void {
    this.#updateAverage(nowNs);
    if (this.#decides(packet)) {
      if (
        !(
          this.#settings.ecn &&
          this.#average < this.#settings.max &&
          this.casualties.mark(packet, "queue.red")
        )
      ) {
        this.casualties.lose(packet, "queue.red");
        // The queue stays empty, so its average goes on falling with time.
        if (this.length === 0) this.#idleSinceNs = nowNs;
        return;
      }
    }
    super.enqueue(packet, nowNs);
  }

  override dequeue(nowNs: number): WirePacket | undefined {
    const packet = super.dequeue(nowNs);
    if (this.length === 0) this.#idleSinceNs = nowNs;
    return packet;
  }

  override saveState(originNs: number): RedState {
    return {
      average: this.#average,
      count: this.#count,
      idleSinceNs: this.#idleSinceNs === null ? null : this.#idleSinceNs - originNs,
    };
  }

  #updateAverage(nowNs: number): void {
    const { weight } = this.#settings;
    if (this.length > 0 || this.#idleSinceNs === null) {
      this.#average += weight * (this.bytes - this.#average);
      return;
    }
    this.#average *= (1 - weight) ** ((nowNs - this.#idleSinceNs) / this.#packetNs);
    this.#idleSinceNs = null;
  }

  /** Returns whether RED hits the packet. */
  #decides({ redDraw }: WirePacket): boolean {
    const { min, max, probability } = this.#settings;
    if (this.#average < min) {
      this.#count = -1;
      return false;
    }
    if (this.#average >= max) {
      this.#count = 0;
      return true;
    }
    this.#count += 1;
    const chance = (probability * (this.#average - min)) / (max - min);
    const rest = PPB - this.#count * chance;
    if (rest > 0 && redDraw >= (chance / rest) * PPB) return false;
    this.#count = 0;
    return true;
  }
}
