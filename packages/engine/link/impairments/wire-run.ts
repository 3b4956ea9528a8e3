/** Runs the impairments of one direction alone, in the time that its caller gives: for replays and for live wires. */
import { SlotQueue } from "../../base/slot-queue.ts";
import { ImpairedDirection, type ImpairedOptions } from "./impaired-direction.ts";
import { PacketShelf } from "./packet-shelf.ts";
import type { ImpairmentType } from "./report.ts";
import { WaitingLine } from "./waiting-line.ts";
import type { WirePacket } from "./wire-packet.ts";

export interface WireRunOptions extends Omit<ImpairedOptions, "sink"> {
  /** Gets each packet when it arrives, in order of time; the run uses the object again after the call. */
  readonly deliver: (packet: WirePacket, atNs: number) => void;
  readonly lose?: (packet: WirePacket, reason: ImpairmentType) => void;
}

export class WireRun {
  readonly direction: ImpairedDirection;
  readonly #deliver: WireRunOptions["deliver"];
  /** Packets in the delay of the filters, by their slots. */
  readonly #held = new SlotQueue();
  readonly #shelf = new PacketShelf();
  readonly #onWire = new WaitingLine<WirePacket>();
  readonly #onWireFromNs: number;

  constructor({ deliver, lose, ...options }: WireRunOptions) {
    this.#deliver = deliver;
    this.#onWireFromNs = options.nowNs;
    this.direction = new ImpairedDirection({
      ...options,
      sink: {
        send: (packet, atNs) => this.#onWire.push(Math.max(atNs, this.#onWireFromNs), packet),
        lose: (packet, reason) => {
          lose?.(packet, reason);
          this.direction.pool.give(packet);
        },
      },
    });
    for (const { packet, stage, atNs } of this.direction.takeRestored()) {
      const dueNs = Math.max(atNs, options.nowNs);
      if (stage === "wire") this.#onWire.push(dueNs, packet);
      else this.#hold(packet, dueNs);
    }
    this.direction.advance(options.nowNs);
  }

  /** The time of the next thing to happen; Infinity if nothing waits. */
  get nextNs(): number {
    return Math.min(this.#held.nextTimeNs, this.#onWire.nextTimeNs, this.direction.wakeNs);
  }

  /**
   * Passes a packet in at `nowNs`, not before the last call; packets that arrive by then are delivered first.
   * @returns what dropped it at once, if anything.
   */
  enter(packet: WirePacket, nowNs: number): ImpairmentType | undefined {
    this.runUntil(nowNs);
    const droppedBy = this.direction.judge(packet, nowNs);
    const { copy } = this.direction;
    if (droppedBy === undefined) this.board(packet, nowNs, 0);
    if (copy) this.board(copy, nowNs, 0);
    this.#arriveUntil(nowNs);
    return droppedBy;
  }

  /** Passes a packet that was judged to the queue, `heldNs` from now. The run uses the object again when the packet's way ends. */
  board(packet: WirePacket, nowNs: number, heldNs: number): void {
    if (heldNs > 0) this.#hold(packet, nowNs + heldNs);
    else this.direction.enter(packet, nowNs);
  }

  /** Handles everything that happens up to `nowNs`, in order of time. */
  runUntil(nowNs: number): void {
    this.runSome(nowNs, Number.POSITIVE_INFINITY);
  }

  /** Delivers at most `limit` packets of those that arrive by `nowNs`; returns false if more are due. */
  runSome(nowNs: number, limit: number): boolean {
    const held = this.#held;
    const wire = this.#onWire;
    const direction = this.direction;
    // A packet that enters the queue makes what happened before happen, so the queue needs no event of its own.
    for (let heldNs = held.nextTimeNs; heldNs <= nowNs && held.size > 0; heldNs = held.nextTimeNs)
      direction.enter(this.#unhold(held.pop() as number), heldNs);
    for (let wakeNs = direction.wakeNs; wakeNs <= nowNs; wakeNs = direction.wakeNs) {
      if (wakeNs === Number.POSITIVE_INFINITY) break;
      direction.advance(nowNs === Number.POSITIVE_INFINITY ? wakeNs : nowNs);
    }
    for (let left = limit; wire.size > 0 && wire.nextTimeNs <= nowNs; left -= 1) {
      if (left === 0) return false;
      this.#arrive();
    }
    return true;
  }

  /** Ends the run at `nowNs`: packets on their way become part of the state. No packet may enter afterwards. */
  end(nowNs: number): void {
    this.runUntil(nowNs);
    this.direction.end(nowNs);
    for (let slot = this.#held.pop(); slot !== undefined; slot = this.#held.pop())
      this.direction.keep(this.#unhold(slot), "filter", this.#held.nowNs);
    for (let packet = this.#onWire.pop(); packet; packet = this.#onWire.pop())
      this.direction.keep(packet, "wire", this.#onWire.nowNs);
  }

  #hold(packet: WirePacket, untilNs: number): void {
    this.#held.push(untilNs, this.#shelf.put(packet));
    this.direction.pool.give(packet);
  }

  #unhold(slot: number): WirePacket {
    return this.#shelf.take(slot, this.direction.pool);
  }

  #arriveUntil(nowNs: number): void {
    while (this.#onWire.nextTimeNs <= nowNs) this.#arrive();
  }

  #arrive(): void {
    const packet = this.#onWire.pop() as WirePacket;
    this.#deliver(packet, this.#onWire.nowNs);
    this.direction.pool.give(packet);
  }
}
