/** Copies of one frame that arrive at the same moment, one after the other: those that a switch floods are one event. */
import type { LinkLine } from "./link-line.ts";
import type { Trail } from "./trail.ts";

export class Flight {
  readonly kind = "flight";
  readonly frame: Uint8Array;
  /** When the copies arrive, and how long the links held them. */
  readonly atNs: number;
  readonly delayNs: number;
  readonly trail: Trail | undefined;
  readonly isBroadcastCopy: boolean;
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
  ) {
    this.frame = frame;
    this.#first = line;
    this.atNs = atNs;
    this.delayNs = delayNs;
    this.trail = trail;
    this.isBroadcastCopy = isBroadcastCopy;
  }

  /** Whether a copy that is sent right after the last one can be one of these. */
  takes(frame: Uint8Array, atNs: number, delayNs: number, trail: Trail | undefined): boolean {
    return frame === this.frame && atNs === this.atNs && delayNs === this.delayNs && trail === this.trail;
  }

  /** Adds a copy, which arrives after the others. */
  add(line: LinkLine): void {
    this.#others ??= [];
    this.#others.push(line);
  }

  /** Whether the copy that arrives next is the first. */
  get isWhole(): boolean {
    return this.#landed === 0;
  }

  /** The line whose copy arrives next; undefined when all have. */
  get next(): LinkLine | undefined {
    return this.#landed === 0 ? this.#first : this.#others?.[this.#landed - 1];
  }

  /** The copy that `next` is of has arrived. */
  land(): void {
    this.#landed += 1;
  }
}
