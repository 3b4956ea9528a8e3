import { DROP, type LinkFilter, PASS, type Verdict } from "./link-filter.ts";

/** The setting that drops every packet. */
const EVERY_PACKET = -1;

/** Drops packets N, 2N, 3N ... of its direction, counted from 1; all of them when `every` is -1. */
export class FrequencyDrop implements LinkFilter {
  readonly type = "frequency_drop";
  readonly #every: number;
  #packets: number;

  /** @param every N (1 or more) or -1. @param packets counted in earlier runs. */
  constructor(every: number, packets = 0) {
    if (!(every >= 1 || every === EVERY_PACKET))
      throw new RangeError(`frequency_drop: ${every} is neither -1 nor 1 or more`);
    this.#every = every === EVERY_PACKET ? 1 : every;
    this.#packets = packets;
  }

  decide(): Verdict {
    this.#packets += 1;
    return this.#packets % this.#every === 0 ? DROP : PASS;
  }

  skip(): void {
    this.#packets += 1;
  }

  saveState(): { packets: number } {
    return { packets: this.#packets };
  }
}
