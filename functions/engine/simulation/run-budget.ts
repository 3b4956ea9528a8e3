/** What a run has used up, held against its limits. */
import { NS_PER_SECOND } from "../time.ts";
import type { LimitName, RunLimits } from "./limits.ts";

/** The clock of the machine is asked once in so many events. */
const EVENTS_BETWEEN_CLOCK_READS = 1_024;

export class RunBudget {
  readonly #limits: RunLimits;
  readonly #isOutOfTime: (() => boolean) | undefined;
  events = 0;
  packets = 0;
  capturedBytes = 0;
  bytesInFlight = 0;
  outputCharacters = 0;

  constructor(limits: RunLimits, isOutOfTime: (() => boolean) | undefined) {
    this.#limits = limits;
    this.#isOutOfTime = isOutOfTime;
  }

  /** The limit that keeps an event at `timeNs` from happening, if any. */
  exceeded(timeNs: number): LimitName | undefined {
    const limits = this.#limits;
    if (this.events >= limits.events) return "events";
    if (this.packets >= limits.packets) return "packets";
    if (this.capturedBytes >= limits.capturedBytes) return "captured_bytes";
    if (this.bytesInFlight >= limits.bytesInFlight) return "bytes_in_flight";
    if (this.outputCharacters >= limits.outputCharacters) return "output_characters";
    if (timeNs > limits.labSeconds * NS_PER_SECOND) return "lab_seconds";
    const isTime = this.events % EVENTS_BETWEEN_CLOCK_READS === EVENTS_BETWEEN_CLOCK_READS - 1;
    return isTime && this.#isOutOfTime?.() ? "cpu_seconds" : undefined;
  }
}
