import type { RandomStream, StreamState } from "../../base/random.ts";
import { NS_PER_MS, NS_PER_US } from "../../base/time.ts";
import { HOLD, type LinkFilter, type Passage, type Verdict } from "./link-filter.ts";

const US_PER_MS = 1_000;

/**
 * Holds every packet for the latency plus a jitter, uniform over [-jitterMs, +jitterMs] in steps of one microsecond; a
 * sum below zero counts as zero. Packets are held in parallel, so a delay never limits the throughput; packets are
 * reordered only by jitter.
 */
export class Delay implements LinkFilter {
  readonly type = "delay";
  readonly #latencyNs: number;
  readonly #jitterUs: number;
  readonly #random: RandomStream;

  /** Both settings are integers from 0 to 32767, in milliseconds. */
  constructor(latencyMs: number, jitterMs: number, random: RandomStream) {
    this.#latencyNs = latencyMs * NS_PER_MS;
    this.#jitterUs = jitterMs * US_PER_MS;
    this.#random = random;
  }

  decide(passage: Passage): Verdict {
    passage.delayNs += Math.max(0, this.#latencyNs + this.#drawJitterNs());
    return HOLD;
  }

  skip(): void {
    this.#drawJitterNs();
  }

  saveState(): { stream: StreamState } {
    return { stream: this.#random.saveState() };
  }

  /** One draw per packet; none without jitter. */
  #drawJitterNs(): number {
    if (this.#jitterUs === 0) return 0;
    return (this.#random.below(2 * this.#jitterUs + 1) - this.#jitterUs) * NS_PER_US;
  }
}
