import { describe, expect, it } from "vitest";
import { growthOf } from "../../soak/flat.ts";

const series = (length: number, at: (index: number) => number): number[] =>
  Array.from({ length }, (_, index) => at(index));

describe("the growth of a series", () => {
  it("leaves out the warm-up, which is the first quarter", () => {
    expect(growthOf(series(40, (index) => (index < 10 ? index * 10 : 100)))).toBe(0);
  });

  it("is the share that the last quarter lies above the second one", () => {
    expect(growthOf(series(40, (index) => (index < 20 ? 100 : 150)))).toBeCloseTo(0.5);
    expect(growthOf(series(360, (index) => 100 + index))).toBeCloseTo(0.77);
  });

  it("does not follow single peaks", () => {
    expect(growthOf(series(40, (index) => (index === 39 ? 1_000 : 100)))).toBe(0);
  });

  it("needs a measurement in each quarter", () => {
    expect(() => growthOf([1, 2, 3])).toThrow("3 measurements are too few: at least 4");
  });
});
