/**
 * Concurrent runs in one process compute in slices, and the process handles other requests between slices, so that a ping does not
 * wait for a packet storm. Short runs go first, the one with the least computing time before the others. Long runs follow one after
 * another, in the order they began, because storms that took turns would all end when the last one does. In Lambda a process has one
 * request at a time, so its slices follow each other at once.
 */
import type { ProcessorTime } from "./processor-time.ts";

const SLICE_SECONDS = 0.02;
/** A run that waits for guests spends no processor time meanwhile, so its slices end by the clock, too. */
const SLICE_WITH_GUESTS_MS = 100;
/** A run is short until it has computed for this long. */
const SHORT_SECONDS = 0.25;

interface Waiting {
  readonly rank: number;
  readonly begin: () => void;
}

const waiting: Waiting[] = [];
let runs = 0;

export class Slice {
  readonly #computing: ProcessorTime;
  readonly #number = ++runs;
  readonly #hasGuests: boolean;
  #beganAtSeconds = 0;
  #beganAtMs = performance.now();

  constructor(computing: ProcessorTime, hasGuests: boolean) {
    this.#computing = computing;
    this.#hasGuests = hasGuests;
  }

  get isOver(): boolean {
    if (this.#hasGuests && performance.now() - this.#beganAtMs >= SLICE_WITH_GUESTS_MS) return true;
    return this.#computing.seconds - this.#beganAtSeconds >= SLICE_SECONDS;
  }

  /** Resolves when the run may compute again. */
  async next(): Promise<void> {
    const { seconds } = this.#computing;
    const rank = seconds < SHORT_SECONDS ? seconds : SHORT_SECONDS + this.#number;
    await new Promise<void>((begin) => {
      waiting.push({ rank, begin });
      if (waiting.length === 1) setImmediate(beginNext);
    });
    this.#beganAtSeconds = seconds;
    this.#beganAtMs = performance.now();
  }
}

/** Called after the event loop has handled the requests that arrived meanwhile. */
function beginNext(): void {
  const next = waiting.reduce((first, other) => (other.rank < first.rank ? other : first));
  waiting.splice(waiting.indexOf(next), 1);
  if (waiting.length > 0) setImmediate(beginNext);
  next.begin();
}
