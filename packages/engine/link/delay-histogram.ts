/** Counts delays of any size in little memory: percentiles to 1 in 64; minimum, mean and maximum are exact. */
import { NS_PER_MS } from "../base/time.ts";
import type { DelayCounter, DelaySummary } from "./direction-report.ts";
import { Histogram } from "./impairments/histogram.ts";

export class DelayHistogram implements DelayCounter {
  readonly #histogram = new Histogram();
  #count = 0;
  #sumNs = 0;
  #lowestNs = Number.POSITIVE_INFINITY;

  add(delayNs: number): void {
    this.#histogram.add(delayNs);
    this.#count += 1;
    this.#sumNs += delayNs;
    if (delayNs < this.#lowestNs) this.#lowestNs = delayNs;
  }

  /** Returns null if nothing was counted. */
  summary(): DelaySummary | null {
    const percentiles = this.#histogram.percentiles(NS_PER_MS);
    if (percentiles === null) return null;
    const min = this.#lowestNs / NS_PER_MS;
    const { p50, p90, p99, max } = percentiles;
    const atLeast = (value: number): number => Math.max(min, value);
    return {
      min,
      mean: this.#sumNs / this.#count / NS_PER_MS,
      p50: atLeast(p50),
      p90: atLeast(p90),
      p99: atLeast(p99),
      max,
    };
  }
}
