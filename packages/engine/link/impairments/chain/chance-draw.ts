/** Draws outcomes with an exact chance, to one part in 10^9, and with correlation between successive ones. */
import { RandomStream, type StreamState } from "../../../base/random.ts";
import { type Chance, PPB } from "../settings/direction-settings.ts";

export interface DrawState {
  readonly stream: StreamState;
  /** The last draw; absent before the first. */
  readonly last?: number;
}

/**
 * A draw repeats the last one with the probability of the correlation, else it is a new one. So the outcomes have exactly the
 * chance that is set, and the correlation coefficient of successive outcomes is exactly the one that is set. (netem adds the
 * last draw and a new one in proportion, which is no longer evenly spread: its loss then differs from the set one.)
 *
 * Every packet takes two numbers of the stream, so a change of the settings does not move the stream.
 */
export class ChanceDraw {
  readonly #random: RandomStream;
  #last: number | undefined;

  constructor(random: RandomStream, last?: number) {
    this.#random = random;
    this.#last = last;
  }

  /** Returns a number uniform over [0, PPB). */
  draw(correlation: number): number {
    const repeats = this.#random.below(PPB);
    const fresh = this.#random.below(PPB);
    const drawn = this.#last !== undefined && repeats < correlation ? this.#last : fresh;
    this.#last = drawn;
    return drawn;
  }

  hits({ chance, correlation }: Chance): boolean {
    return this.draw(correlation) < chance;
  }

  saveState(): DrawState {
    return {
      stream: this.#random.saveState(),
      ...(this.#last !== undefined && { last: this.#last }),
    };
  }
}

/** Continues a draw, or begins one. */
export const resumeDraw = (saved: DrawState | undefined, begin: () => RandomStream): ChanceDraw =>
  saved === undefined ? new ChanceDraw(begin()) : new ChanceDraw(new RandomStream(saved.stream), saved.last);
