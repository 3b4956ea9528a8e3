/**
 * Runs in one process compute in slices, between which other requests get on: a ping does not wait for the storms beside it. Short
 * runs go first, the one that has computed least before the others; long ones follow, in the order they began, since storms that
 * took turns would all end when the last one does. In Lambda a process has one request at a time, so a slice follows the other at
 * once.
 */
import type { ProcessorTime } from "./processor-time.ts";

const SLICE_SECONDS = 0.02;
/** A run is short until it has computed for so long. */
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
  #beganAtSeconds = 0;

  constructor(computing: ProcessorTime) {
    this.#computing = computing;
  }

  get isOver(): boolean {
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
  }
}

/** Called when the event loop has handled what came in meanwhile. */
function beginNext(): void {
  const next = waiting.reduce((first, other) => (other.rank < first.rank ? other : first));
  waiting.splice(waiting.indexOf(next), 1);
  if (waiting.length > 0) setImmediate(beginNext);
  next.begin();
}
