/** The simulation of busy hours. */
import { describe, expect, test } from "vitest";
import { LIMITS, type LimitName } from "../bench/scale/limits.ts";
import { BUSY_DAY, simulate } from "../bench/scale/simulate.ts";

const NAMES = Object.keys(LIMITS) as LimitName[];
const limitsOf = (change: Partial<Record<LimitName, number>> = {}) =>
  ({ ...Object.fromEntries(NAMES.map((name) => [name, LIMITS[name].most])), ...change }) as Record<
    LimitName,
    number
  >;

describe("a simulated hour", () => {
  test("is the same for the same seed, and another one for another seed", () => {
    const of = (seed: number) => simulate(BUSY_DAY, limitsOf(), seed);
    expect(of(7)).toEqual(of(7));
    expect(of(7)).not.toEqual(of(8));
  });

  test("has all runs of the hour: the peak is above their mean, and nothing is refused below it", () => {
    const mean = (BUSY_DAY.runsADay * BUSY_DAY.busyHour) / 3_600;
    const { runs } = simulate(BUSY_DAY, limitsOf({ runs: 1_000 }), 1);
    expect(runs.peak).toBeGreaterThan(mean);
    expect(runs.peak).toBeLessThan(2 * mean);
    expect(runs.refused).toBe(0);
  });

  test("refuses the part of the runs that is above a limit, and the functions behind it have less to do", () => {
    const mean = (BUSY_DAY.runsADay * BUSY_DAY.busyHour) / 3_600;
    const free = simulate(BUSY_DAY, limitsOf({ runs: 1_000 }), 1);
    const held = simulate(BUSY_DAY, limitsOf({ runs: mean / 2 }), 1);
    expect(held.runs.refused).toBeCloseTo(0.5, 1);
    expect(held.table.peak).toBeLessThan(free.table.peak);
  });
});

test("10,000 users with a million runs a day stay below every default limit", () => {
  const peaks = simulate(BUSY_DAY, limitsOf(), 1);
  for (const name of NAMES) expect(peaks[name].peak, LIMITS[name].name).toBeLessThan(LIMITS[name].most);
});
