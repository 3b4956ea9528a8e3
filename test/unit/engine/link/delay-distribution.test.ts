import { DelayDistribution } from "@wirelab/engine/link/delay-distribution";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

const NS_PER_MS = 1e6;

function distributionOf(minNs: number, maxNs: number, delaysNs: readonly number[]): DelayDistribution {
  const distribution = new DelayDistribution(minNs, maxNs);
  for (const delayNs of delaysNs) distribution.add(delayNs);
  return distribution;
}

/** The nearest-rank percentile by its definition: the smallest delay that `percent` of all delays do not exceed. */
function nearestRankMs(delaysNs: readonly number[], percent: number): number {
  const sorted = delaysNs.toSorted((a, b) => a - b);
  return (sorted[Math.ceil((percent * sorted.length) / 100) - 1] as number) / NS_PER_MS;
}

describe("the delay distribution", () => {
  it("has no summary without packets", () => {
    expect(new DelayDistribution(0, 0).summary()).toBeNull();
  });

  it("summarizes a hundred known delays", () => {
    const delaysNs = Array.from({ length: 100 }, (_, index) => (index + 1) * NS_PER_MS);
    expect(distributionOf(NS_PER_MS, 100 * NS_PER_MS, delaysNs).summary()).toEqual({
      min: 1,
      mean: 50.5,
      p50: 50,
      p90: 90,
      p99: 99,
      max: 100,
    });
  });

  it("gives exact percentiles of delays in whole microseconds over a range of up to 262 ms", () => {
    const delay = fc.integer({ min: 0, max: 262_000 }).map((us) => us * 1_000);
    fc.assert(
      fc.property(fc.array(delay, { minLength: 1, maxLength: 300 }), (delaysNs) => {
        const summary = distributionOf(0, 262 * NS_PER_MS, delaysNs).summary();
        for (const percent of [50, 90, 99] as const) {
          expect(summary?.[`p${percent}`]).toBe(nearestRankMs(delaysNs, percent));
        }
      }),
    );
  });

  it("gives percentiles within 0.25 ms over the widest range, and the extremes exactly", () => {
    const [minNs, maxNs] = [0, 65_534 * NS_PER_MS];
    const delay = fc.integer({ min: 0, max: 65_534_000 }).map((us) => us * 1_000);
    fc.assert(
      fc.property(fc.array(delay, { minLength: 1, maxLength: 50 }), (delaysNs) => {
        const summary = distributionOf(minNs, maxNs, delaysNs).summary();
        expect(Math.abs((summary?.p90 as number) - nearestRankMs(delaysNs, 90))).toBeLessThanOrEqual(0.251);
        expect([summary?.min, summary?.max]).toEqual([
          Math.min(...delaysNs) / 1e6,
          Math.max(...delaysNs) / 1e6,
        ]);
      }),
      { numRuns: 20 },
    );
  });
});
