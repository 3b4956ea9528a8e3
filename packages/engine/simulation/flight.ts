/** Copies of one frame that arrive at the same moment, in order: all copies that a switch floods are one event. */
import type { WirePacket } from "../link/impairments/index.ts";
import type { LinkLine } from "./link-line.ts";
import type { Trail } from "./trail.ts";

export interface FrozenFlight
  extends Pick<Flight, "frame" | "atNs" | "delayNs" | "trail" | "isBroadcastCopy" | "packet"> {
  readonly lines: readonly LinkLine[];
  readonly landed: number;
}

export class Flight {
  readonly kind = "flight";
  readonly frame: Uint8Array;
  /** The arrival time of the copies, and the delay of their links. */
  readonly atNs: number;
  readonly delayNs: number;
  readonly trail: Trail | undefined;
  readonly isBroadcastCopy: boolean;
  /** With impairments: the packet. */
  readonly packet: WirePacket | undefined;
  readonly #first: LinkLine;
  #others: LinkLine[] | undefined;
  #landed = 0;

  constructor(
    frame: Uint8Array,
    line: LinkLine,
    atNs: number,
    delayNs: number,
    trail: Trail | undefined,
    isBroadcastCopy: boolean,
    packet?: WirePacket,
  ) {
    this.frame = frame;
    this.#first = line;
    this.atNs = atNs;
    this.delayNs = delayNs;
    this.trail = trail;
    this.isBroadcastCopy = isBroadcastCopy;
    this.packet = packet;
  }

  /** The flight as data; `lines` are those of the copies, of which `landed` have arrived. */
  freeze(): FrozenFlight {
    const { frame, atNs, delayNs, trail, isBroadcastCopy, packet } = this;
    const lines = [this.#first, ...(this.#others ?? [])];
    return { frame, atNs, delayNs, trail, isBroadcastCopy, packet, lines, landed: this.#landed };
  }

  static thaw(frozen: FrozenFlight): Flight {
    const { frame, atNs, delayNs, trail, isBroadcastCopy, packet, lines, landed } = frozen;
    const [first, ...others] = lines;
    if (first === undefined) throw new RangeError("a flight has no line");
    const flight = new Flight(frame, first, atNs, delayNs, trail, isBroadcastCopy, packet);
    for (const line of others) flight.add(line);
    flight.#landed = landed;
    return flight;
  }

  /** Returns whether a copy sent directly after the last one can join this flight. */
  takes(frame: Uint8Array, atNs: number, delayNs: number, trail: Trail | undefined): boolean {
    return frame === this.frame && atNs === this.atNs && delayNs === this.delayNs && trail === this.trail;
  }

  /** Adds a copy that arrives after the others. */
  add(line: LinkLine): void {
    this.#others ??= [];
    this.#others.push(line);
  }

  /** Whether no copy has arrived yet. */
  get isWhole(): boolean {
    return this.#landed === 0;
  }

  /** The line whose copy arrives next; undefined if all have arrived. */
  get next(): LinkLine | undefined {
    return this.#landed === 0 ? this.#first : this.#others?.[this.#landed - 1];
  }

  /** Marks the copy of `next` as arrived. */
  land(): void {
    this.#landed += 1;
  }
}
