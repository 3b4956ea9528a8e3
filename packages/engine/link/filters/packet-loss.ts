import type { RandomStream, StreamState } from "../../base/random.ts";
import { DROP, type LinkFilter, PASS, type Verdict } from "./link-filter.ts";

/** Drops each packet with a probability of exactly `chancePct` in 100: never at 0, always at 100. */
export class PacketLoss implements LinkFilter {
  readonly type = "packet_loss";
  readonly #chancePct: number;
  readonly #random: RandomStream;

  constructor(chancePct: number, random: RandomStream) {
    this.#chancePct = chancePct;
    this.#random = random;
  }

  /** Draws from [0, 100) once per packet; the packet is lost if the draw is below the chance. */
  decide(): Verdict {
    return this.#random.below(100) < this.#chancePct ? DROP : PASS;
  }

  skip(): void {
    this.#random.below(100);
  }

  saveState(): { stream: StreamState } {
    return { stream: this.#random.saveState() };
  }
}
