/**
 * What a run has used up, held against its limits.
 *
 * The limits of events and packets end what would go on by itself: a storm, an endless ping. A broadcast that a switch or hub passes
 * on does not: most hosts drop it, and nothing follows. In a broadcast domain of N hosts that start, such copies are nearly all packets, and
 * they grow with the square of N; so each counts as a sixteenth. At that price the limits are still met before the default limit of
 * processor time. A copy that goes round in a loop counts in full.
 */
import { NS_PER_SECOND } from "../time.ts";
import type { Flight } from "./flight.ts";
import type { LimitName, RunLimits } from "./limits.ts";

/** The clock of the machine is asked once in so many events. */
const EVENTS_BETWEEN_CLOCK_READS = 1_024;
const BROADCAST_COPY_DISCOUNT = 15 / 16;
/** What a run holds in memory for a further copy of a frame. */
const COPY_BYTES = 16;

export class RunBudget {
  readonly #limits: RunLimits;
  readonly #isOutOfTime: (() => boolean) | undefined;
  #copyEvents = 0;
  #copyPackets = 0;
  #bytesInFlight = 0;
  events = 0;
  packets = 0;
  capturedBytes = 0;
  outputCharacters = 0;

  constructor(limits: RunLimits, isOutOfTime: (() => boolean) | undefined) {
    this.#limits = limits;
    this.#isOutOfTime = isOutOfTime;
  }

  /** A frame enters a link. */
  send(isBroadcastCopy: boolean): void {
    this.packets += 1;
    if (isBroadcastCopy) this.#copyPackets += 1;
  }

  /** A frame is on its way: the first of a flight, or a further copy. */
  board(frame: Uint8Array, isFirst: boolean): void {
    this.#bytesInFlight += isFirst ? frame.length : COPY_BYTES;
  }

  /** The next copy of a flight arrives. */
  land({ frame, isWhole, isBroadcastCopy }: Flight): void {
    this.events += 1;
    if (isBroadcastCopy) this.#copyEvents += 1;
    this.#bytesInFlight -= isWhole ? frame.length : COPY_BYTES;
  }

  /** The limit that keeps an event at `timeNs` from happening, if any. */
  exceeded(timeNs: number): LimitName | undefined {
    const limits = this.#limits;
    if (this.events - BROADCAST_COPY_DISCOUNT * this.#copyEvents >= limits.events) return "events";
    if (this.packets - BROADCAST_COPY_DISCOUNT * this.#copyPackets >= limits.packets) return "packets";
    if (this.capturedBytes >= limits.capturedBytes) return "captured_bytes";
    if (this.#bytesInFlight >= limits.bytesInFlight) return "bytes_in_flight";
    if (this.outputCharacters >= limits.outputCharacters) return "output_characters";
    if (timeNs > limits.labSeconds * NS_PER_SECOND) return "lab_seconds";
    return this.isClockDue && this.#isOutOfTime?.() ? "cpu_seconds" : undefined;
  }

  get isClockDue(): boolean {
    return this.events % EVENTS_BETWEEN_CLOCK_READS === EVENTS_BETWEEN_CLOCK_READS - 1;
  }
}
