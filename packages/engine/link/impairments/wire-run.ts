/** Runs the impairments of one direction alone, in the time that its caller gives: for replays and for live wires. */
import { ImpairedDirection, type ImpairedOptions } from "./impaired-direction.ts";
import type { ImpairmentType } from "./report.ts";
import { WaitingLine } from "./waiting-line.ts";
import type { WirePacket } from "./wire-packet.ts";

export interface WireRunOptions extends Omit<ImpairedOptions, "sink"> {
  /** Gets each packet when it arrives, in order of time. */
  readonly deliver: (packet: WirePacket, atNs: number) => void;
  readonly lose?: (packet: WirePacket, reason: ImpairmentType) => void;
}

export class WireRun {
  readonly direction: ImpairedDirection;
  readonly #deliver: WireRunOptions["deliver"];
  /** Packets in the delay of the filters. */
  readonly #held = new WaitingLine<WirePacket>();
  readonly #onWire = new WaitingLine<WirePacket>();
  readonly #onWireFromNs: number;

  constructor({ deliver, lose, ...options }: WireRunOptions) {
    this.#deliver = deliver;
    this.#onWireFromNs = options.nowNs;
    this.direction = new ImpairedDirection({
      ...options,
      sink: {
        send: (packet, atNs) => this.#onWire.push(Math.max(atNs, this.#onWireFromNs), packet),
        lose: (packet, reason) => lose?.(packet, reason),
      },
    });
    for (const { packet, stage, atNs } of this.direction.takeRestored())
      (stage === "wire" ? this.#onWire : this.#held).push(Math.max(atNs, options.nowNs), packet);
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

  /** Passes a packet that was judged to the queue, `heldNs` from now. */
  board(packet: WirePacket, nowNs: number, heldNs: number): void {
    if (heldNs > 0) this.#held.push(nowNs + heldNs, packet);
    else this.direction.enter(packet, nowNs);
  }

  /** Handles everything that happens up to `nowNs`, in order of time. */
  runUntil(nowNs: number): void {
    this.runSome(nowNs, Number.POSITIVE_INFINITY);
  }

  /** Delivers at most `limit` packets of those that arrive by `nowNs`; returns false if more are due. */
  runSome(nowNs: number, limit: number): boolean {
    const held = this.#held;
    const direction = this.direction;
    let left = limit;
    for (;;) {
      const queueNs = Math.min(held.nextTimeNs, direction.wakeNs);
      const wireNs = this.#onWire.nextTimeNs;
      if (wireNs === Number.POSITIVE_INFINITY && queueNs === wireNs) return true;
      if (wireNs <= nowNs && wireNs <= queueNs) {
        if (left-- === 0) return false;
        this.#arrive();
      } else if (queueNs > nowNs) return true;
      else if (held.nextTimeNs === queueNs) direction.enter(held.pop() as WirePacket, queueNs);
      else direction.advance(queueNs);
    }
  }

  /** Ends the run at `nowNs`: packets on their way become part of the state. No packet may enter afterwards. */
  end(nowNs: number): void {
    this.runUntil(nowNs);
    this.direction.end(nowNs);
    for (let packet = this.#held.pop(); packet; packet = this.#held.pop())
      this.direction.keep(packet, "filter", this.#held.nowNs);
    for (let packet = this.#onWire.pop(); packet; packet = this.#onWire.pop())
      this.direction.keep(packet, "wire", this.#onWire.nowNs);
  }

  #arriveUntil(nowNs: number): void {
    while (this.#onWire.nextTimeNs <= nowNs) this.#arrive();
  }

  #arrive(): void {
    const packet = this.#onWire.pop() as WirePacket;
    this.#deliver(packet, this.#onWire.nowNs);
  }
}
