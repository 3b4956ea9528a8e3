/**
 * Counts a run's consumption and compares it with its limits.
 *
 * The limits of events and packets stop endless activity such as a storm or an endless ping. A broadcast forwarded by a switch or
 * hub is not endless: most hosts drop it without an answer. When N hosts of a broadcast domain start, nearly all packets are such
 * copies, and their number grows with the square of N; so each counts as a sixteenth. At this weight a run still reaches these
 * limits before the default limit of processor time. A copy in a forwarding loop counts in full.
 */
import { NS_PER_SECOND } from "../base/time.ts";
import type { Flight } from "./flight.ts";
import type { LimitName, RunLimits } from "./limits.ts";

export const EVENTS_BETWEEN_CLOCK_READS = 1_024;
/** With Linux guests: a slice of a guest is one event, and takes milliseconds. */
export const CLOCK_EVERY_WITH_GUESTS = 16;
const BROADCAST_COPY_DISCOUNT = 15 / 16;
/** Memory of a run per additional copy of a frame. */
const COPY_BYTES = 16;

export class RunBudget {
  readonly #limits: RunLimits;
  readonly #isOutOfTime: (() => boolean) | undefined;
  readonly #clockEvery: number;
  #copyEvents = 0;
  #copyPackets = 0;
  #bytesInFlight = 0;
  events = 0;
  packets = 0;
  capturedBytes = 0;
  outputCharacters = 0;

  /** @param clockEvery the real clock is read once per this many events. */
  constructor(
    limits: RunLimits,
    isOutOfTime: (() => boolean) | undefined,
    clockEvery = EVENTS_BETWEEN_CLOCK_READS,
  ) {
    this.#limits = limits;
    this.#isOutOfTime = isOutOfTime;
    this.#clockEvery = clockEvery;
  }

  freeze() {
    const { events, packets, outputCharacters } = this;
    const copyEvents = this.#copyEvents;
    const copyPackets = this.#copyPackets;
    return { events, packets, outputCharacters, copyEvents, copyPackets, bytesInFlight: this.#bytesInFlight };
  }

  /** @param countsAnew leaves all at zero but what links hold. */
  thaw(frozen: ReturnType<RunBudget["freeze"]>, countsAnew = false): void {
    this.#bytesInFlight = frozen.bytesInFlight;
    if (countsAnew) return;
    this.events = frozen.events;
    this.packets = frozen.packets;
    this.outputCharacters = frozen.outputCharacters;
    this.#copyEvents = frozen.copyEvents;
    this.#copyPackets = frozen.copyPackets;
  }

  /** Counts a frame that enters a link. */
  send(isBroadcastCopy: boolean): void {
    this.packets += 1;
    if (isBroadcastCopy) this.#copyPackets += 1;
  }

  /** Counts a frame in flight: the first of a flight, or a further copy. */
  board(frame: Uint8Array, isFirst: boolean): void {
    this.#bytesInFlight += isFirst ? frame.length : COPY_BYTES;
  }

  /** Counts frames that were on their way at the end of the run before. */
  restore(bytes: number): void {
    this.#bytesInFlight += bytes;
  }

  /** Counts a frame that is lost on its way. */
  lose(frame: Uint8Array): void {
    this.#bytesInFlight -= frame.length;
  }

  /** Counts the arrival of a flight's next copy. */
  land({ frame, isWhole, isBroadcastCopy }: Flight): void {
    this.events += 1;
    if (isBroadcastCopy) this.#copyEvents += 1;
    this.#bytesInFlight -= isWhole ? frame.length : COPY_BYTES;
  }

  /** Returns the limit that prevents an event at `timeNs`, if any. */
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
    return this.events % this.#clockEvery === this.#clockEvery - 1;
  }
}
