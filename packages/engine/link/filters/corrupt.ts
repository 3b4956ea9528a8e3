import { FrameSlab } from "../../base/frame-slab.ts";
import type { RandomStream, StreamState } from "../../base/random.ts";
import { type LinkFilter, PASS, type Passage, REPLACE, type Verdict } from "./link-filter.ts";

const NO_BIT = -1;

/**
 * Flips exactly one bit, anywhere in the captured bytes, with a probability of exactly `chancePct` in 100.
 * The filter copies the packet first, because other ports may hold the same bytes. A packet without bytes passes unchanged.
 */
export class Corrupt implements LinkFilter {
  readonly type = "corrupt";
  readonly #chancePct: number;
  readonly #random: RandomStream;
  readonly #copies = new FrameSlab();

  constructor(chancePct: number, random: RandomStream) {
    this.#chancePct = chancePct;
    this.#random = random;
  }

  decide(passage: Passage): Verdict {
    const bit = this.#drawBit(passage.data.length);
    if (bit === NO_BIT) return PASS;
    const copy = this.#copies.copy(passage.data);
    copy[bit >>> 3] = (copy[bit >>> 3] as number) ^ (1 << (bit & 7));
    passage.data = copy;
    return REPLACE;
  }

  skip(passage: Passage): void {
    this.#drawBit(passage.data.length);
  }

  saveState(): { stream: StreamState } {
    return { stream: this.#random.saveState() };
  }

  /** Returns the bit to flip, uniform over all bits of the packet, or NO_BIT. */
  #drawBit(sizeBytes: number): number {
    const hit = this.#random.below(100) < this.#chancePct;
    return hit && sizeBytes > 0 ? this.#random.below(sizeBytes * 8) : NO_BIT;
  }
}
