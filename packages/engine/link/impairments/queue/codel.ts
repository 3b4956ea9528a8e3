/**
 * CoDel (RFC 8289, section 5): drops packets at the head of the queue while the sojourn time stays above the target for longer
 * than an interval, at times that come closer with the square root of the number of drops.
 */
import type { Queue } from "../settings/direction-settings.ts";
import type { WirePacket } from "../wire-packet.ts";
import type { Casualties, Discipline } from "./discipline.ts";
import { DropTail } from "./drop-tail.ts";
import type { PacketRing } from "./packet-ring.ts";

/** The control law forgets the last dropping state after this many intervals. */
const INTERVALS_TO_FORGET = 16;
/** A queue of at most one packet of this size, the largest of Ethernet, is no queue that stays. */
const MAX_PACKET_BYTES = 1_514;

export interface CodelState {
  /** Null while the sojourn time is below the target. */
  readonly firstAboveNs: number | null;
  readonly dropNextNs: number;
  readonly count: number;
  readonly lastCount: number;
  readonly dropping: boolean;
}

/** The state machine of one queue. */
export class CodelControl {
  readonly #settings: Queue;
  readonly #casualties: Casualties;
  #firstAboveNs = Number.NEGATIVE_INFINITY;
  #dropNextNs = 0;
  #count = 0;
  #lastCount = 0;
  #dropping = false;
  /** Whether the packet taken last may be dropped. */
  #mayDrop = false;

  constructor(settings: Queue, casualties: Casualties, state: CodelState | undefined, originNs: number) {
    this.#settings = settings;
    this.#casualties = casualties;
    if (state === undefined) return;
    if (state.firstAboveNs !== null) this.#firstAboveNs = state.firstAboveNs + originNs;
    this.#dropNextNs = state.dropNextNs + originNs;
    this.#count = state.count;
    this.#lastCount = state.lastCount;
    this.#dropping = state.dropping;
  }

  /** Takes the next packet of a queue that is to be sent. */
  dequeue(ring: PacketRing, nowNs: number): WirePacket | undefined {
    let packet = this.#take(ring, nowNs);
    if (this.#dropping) {
      if (!this.#mayDrop) this.#dropping = false;
      while (this.#dropping && nowNs >= this.#dropNextNs) {
        this.#count += 1;
        const isMarked = this.#discard(packet as WirePacket);
        if (isMarked) {
          this.#dropNextNs = this.#controlLaw(this.#dropNextNs);
          return packet;
        }
        packet = this.#take(ring, nowNs);
        if (this.#mayDrop) this.#dropNextNs = this.#controlLaw(this.#dropNextNs);
        else this.#dropping = false;
      }
    } else if (this.#mayDrop) {
      if (!this.#discard(packet as WirePacket)) packet = this.#take(ring, nowNs);
      this.#dropping = true;
      const delta = this.#count - this.#lastCount;
      const isRecent = nowNs - this.#dropNextNs < INTERVALS_TO_FORGET * this.#settings.interval;
      this.#count = delta > 1 && isRecent ? delta : 1;
      this.#dropNextNs = this.#controlLaw(nowNs);
      this.#lastCount = this.#count;
    }
    return packet;
  }

  saveState(originNs: number): CodelState {
    const isAbove = this.#firstAboveNs !== Number.NEGATIVE_INFINITY;
    return {
      firstAboveNs: isAbove ? this.#firstAboveNs - originNs : null,
      dropNextNs: this.#dropNextNs - originNs,
      count: this.#count,
      lastCount: this.#lastCount,
      dropping: this.#dropping,
    };
  }

  #controlLaw(ns: number): number {
    return ns + Math.round(this.#settings.interval / Math.sqrt(this.#count));
  }

  #take(ring: PacketRing, nowNs: number): WirePacket | undefined {
    const packet = ring.shift();
    this.#mayDrop = false;
    const { target, interval } = this.#settings;
    if (packet === undefined || nowNs - packet.queuedNs < target || ring.bytes <= MAX_PACKET_BYTES) {
      this.#firstAboveNs = Number.NEGATIVE_INFINITY;
    } else if (this.#firstAboveNs === Number.NEGATIVE_INFINITY) this.#firstAboveNs = nowNs + interval;
    else this.#mayDrop = nowNs >= this.#firstAboveNs;
    return packet;
  }

  /** Returns whether the packet is marked and not lost. */
  #discard(packet: WirePacket): boolean {
    if (this.#settings.ecn && this.#casualties.mark(packet, "queue.codel")) return true;
    this.#casualties.lose(packet, "queue.codel");
    return false;
  }
}

export class Codel extends DropTail implements Discipline {
  readonly #control: CodelControl;

  constructor(settings: Queue, casualties: Casualties, state: CodelState | undefined, originNs: number) {
    super(settings, casualties);
    this.#control = new CodelControl(settings, casualties, state, originNs);
  }

  override dequeue(nowNs: number): WirePacket | undefined {
    return this.#control.dequeue(this.ring, nowNs);
  }

  override saveState(originNs: number): CodelState {
    return this.#control.saveState(originNs);
  }
}
