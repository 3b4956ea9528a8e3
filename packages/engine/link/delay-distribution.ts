/** A histogram of packet delays over the possible range; its size does not depend on the number of packets. */

import { NS_PER_MS, NS_PER_US } from "../base/time.ts";
import type { DelayCounter, DelaySummary } from "./direction-report.ts";

/** Maximum number of counters: 1 MiB. */
const MAX_BUCKETS = 262_144;

/**
 * Counts delays within [minNs, maxNs]. If the range is at most 262 ms, a bucket is one microsecond, the resolution of the delay
 * filter; otherwise, percentiles are exact to one part in 262,144 of the range. Minimum, mean and maximum are always exact.
 */
export class DelayDistribution implements DelayCounter {
  readonly #minNs: number;
  readonly #bucketNs: number;
  readonly #buckets: Uint32Array;
  #count = 0;
  #sumNs = 0;
  #lowestNs = Number.POSITIVE_INFINITY;
  #highestNs = Number.NEGATIVE_INFINITY;

  constructor(minNs: number, maxNs: number) {
    this.#minNs = minNs;
    const steps = Math.ceil((maxNs - minNs) / NS_PER_US) + 1;
    this.#bucketNs = Math.ceil(steps / MAX_BUCKETS) * NS_PER_US;
    this.#buckets = new Uint32Array(Math.ceil((steps * NS_PER_US) / this.#bucketNs));
  }

  /** Counts one delay; it must lie in the range. */
  add(delayNs: number): void {
    const bucket = Math.floor((delayNs - this.#minNs) / this.#bucketNs);
    this.#buckets[bucket] = (this.#buckets[bucket] as number) + 1;
    this.#count += 1;
    this.#sumNs += delayNs;
    if (delayNs < this.#lowestNs) this.#lowestNs = delayNs;
    if (delayNs > this.#highestNs) this.#highestNs = delayNs;
  }

  /** Returns null if nothing was counted. */
  summary(): DelaySummary | null {
    if (this.#count === 0) return null;
    return {
      min: this.#lowestNs / NS_PER_MS,
      mean: this.#sumNs / this.#count / NS_PER_MS,
      p50: this.#percentileMs(50),
      p90: this.#percentileMs(90),
      p99: this.#percentileMs(99),
      max: this.#highestNs / NS_PER_MS,
    };
  }

  /** Returns the smallest delay that at least `percent` in 100 of the packets do not exceed. */
  #percentileMs(percent: number): number {
    const rank = Math.ceil((percent * this.#count) / 100);
    let counted = 0;
    let bucket = 0;
    while (bucket < this.#buckets.length) {
      counted += this.#buckets[bucket] as number;
      if (counted >= rank) break;
      bucket += 1;
    }
    const delayNs = this.#minNs + bucket * this.#bucketNs;
    return Math.min(Math.max(delayNs, this.#lowestNs), this.#highestNs) / NS_PER_MS;
  }
}
