/** Draws outcomes with an exact chance, to one part in 10^9, and with correlation between successive ones. */
import { RandomStream, type StreamState } from "../../../base/random.ts";
import { type Chance, PPB } from "../settings/direction-settings.ts";

export interface DrawState {
  readonly stream: StreamState;
  /** Decides about repetitions; absent without correlation. */
  readonly repeats?: StreamState;
  /** The last draw; absent before the first. */
  readonly last?: number;
}

/** The streams of a draw; that of repetitions is begun when it is needed. */
export interface DrawStreams {
  readonly values: RandomStream;
  readonly beginRepeats: () => RandomStream;
}

/**
 * A draw repeats the last one with the probability of the correlation, else it is a new one. So the outcomes have exactly the
 * chance that is set, and the correlation coefficient of successive outcomes is exactly the one that is set. (netem adds the
 * last draw and a new one in proportion, which is no longer evenly spread: its loss then differs from the set one.)
 *
 * Repetitions have a stream of their own, so a correlation does not move the other one.
 */
export class ChanceDraw {
  readonly #values: RandomStream;
  readonly #beginRepeats: () => RandomStream;
  #repeats: RandomStream | undefined;
  #last: number;

  constructor({ values, beginRepeats }: DrawStreams, saved?: DrawState) {
    this.#values = values;
    this.#beginRepeats = beginRepeats;
    this.#repeats = saved?.repeats && new RandomStream(saved.repeats);
    this.#last = saved?.last ?? NONE;
  }

  /** Returns a number uniform over [0, PPB). */
  draw(correlation: number): number {
    const value = this.#values.below(PPB);
    if (correlation > 0 && this.#isRepeated(correlation)) return this.#last;
    this.#last = value;
    return value;
  }

  hits({ chance, correlation }: Chance): boolean {
    return this.draw(correlation) < chance;
  }

  saveState(): DrawState {
    return {
      stream: this.#values.saveState(),
      ...(this.#repeats && { repeats: this.#repeats.saveState() }),
      ...(this.#last !== NONE && { last: this.#last }),
    };
  }

  #isRepeated(correlation: number): boolean {
    this.#repeats ??= this.#beginRepeats();
    return this.#repeats.below(PPB) < correlation && this.#last !== NONE;
  }
}

const NONE = -1;

/** Continues a draw, or begins one. @param begin begins the stream of a name. */
export const resumeDraw = (
  saved: DrawState | undefined,
  name: string,
  begin: (name: string) => RandomStream,
): ChanceDraw =>
  new ChanceDraw(
    {
      values: saved ? new RandomStream(saved.stream) : begin(name),
      beginRepeats: () => begin(`${name} repeats`),
    },
    saved,
  );
