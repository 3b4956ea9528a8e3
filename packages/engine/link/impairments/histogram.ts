/** Counts values of any size in few numbers: 64 steps for each doubling, so a percentile is exact to 1 in 64. */
import type { Percentiles } from "./report.ts";

const STEPS = 64;
const DOUBLINGS = 54;
const TWO_31 = 0x8000_0000;
const TWO_25 = 0x200_0000;

export class Histogram {
  readonly #counts = new Uint32Array(STEPS * DOUBLINGS);
  #count = 0;
  #max = 0;

  freeze() {
    const counts = [...this.#counts.entries()].filter(([, count]) => count > 0);
    return { counts, count: this.#count, max: this.#max };
  }

  thaw({ counts, count, max }: ReturnType<Histogram["freeze"]>): void {
    for (const [bucket, each] of counts) this.#counts[bucket] = each;
    this.#count = count;
    this.#max = max;
  }

  /** @param value an integer, 0 or more. */
  add(value: number): void {
    const at = bucketOf(value);
    this.#counts[at] = (this.#counts[at] as number) + 1;
    this.#count += 1;
    if (value > this.#max) this.#max = value;
  }

  /** Returns null if nothing was counted. @param unit by which the values are divided. */
  percentiles(unit = 1): Percentiles | null {
    if (this.#count === 0) return null;
    const at = (percent: number): number => this.#percentile(percent) / unit;
    return { p50: at(50), p90: at(90), p99: at(99), max: this.#max / unit };
  }

  #percentile(percent: number): number {
    const rank = Math.ceil((percent * this.#count) / 100);
    let counted = 0;
    for (let bucket = 0; ; bucket++) {
      counted += this.#counts[bucket] as number;
      if (counted >= rank) return Math.min(lowestOf(bucket), this.#max);
    }
  }
}

/** Values below 64 have a bucket each; each doubling after them has 64. */
function bucketOf(value: number): number {
  if (value < STEPS) return value;
  // Shifts work on 31 bits; few values are longer.
  if (value < TWO_31) {
    const doubling = 26 - Math.clz32(value);
    return doubling * STEPS + (value >>> (doubling - 1)) - STEPS;
  }
  const doubling = 51 - Math.clz32(Math.floor(value / TWO_25));
  return doubling * STEPS + Math.floor(value / 2 ** (doubling - 1)) - STEPS;
}

function lowestOf(bucket: number): number {
  if (bucket < STEPS) return bucket;
  const doubling = Math.floor(bucket / STEPS);
  return (STEPS + (bucket % STEPS)) * 2 ** (doubling - 1);
}
