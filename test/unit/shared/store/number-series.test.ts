import { beforeAll, describe, expect, test } from "vitest";

let series: typeof import("../../../../functions/shared/store/base/number-series.ts");

beforeAll(async () => {
  process.env.AWS_REGION = "eu-west-1";
  series = await import("../../../../functions/shared/store/base/number-series.ts");
});

test.each([
  ["PC1", "PC{0}", 1],
  ["PC10", "PC{0}", 10],
  ["PC0", "PC{0}", 0],
  ["R3-x", "R{0}-x", 3],
  ["R3-x2", "R3-x{0}", 2],
  ["7", "{0}", 7],
])("%s belongs to the series %s", (name, template, number) => {
  expect(series.partsOf(name)).toEqual({ template, number });
  expect(series.nameOf(template, number)).toBe(name);
});

test.each(["PC", "PC01", "PC00", "PC1234567890", ""])("%j belongs to no series", (name) => {
  expect(series.partsOf(name)).toBeUndefined();
});

describe("the lowest free number", () => {
  test.each([
    [{}, 1],
    [{ next: 4 }, 4],
    [{ next: 4, gaps: new Set([3, 2]) }, 2],
    [{ next: 4, gaps: new Set([9]) }, 4],
    [{ gaps: new Set([9]) }, 1],
  ])("of %j is %i", (stored, lowest) => {
    expect(series.offerLowest("p", series.namesLike("PC{0}"), stored).number).toBe(lowest);
  });

  test.each([
    [{}, 2, 3],
    [{ next: 4, gaps: new Set([2]) }, 0, 2],
    [{ next: 4, gaps: new Set([2, 5]) }, 1, 4],
    [{ next: 4, gaps: new Set([2, 5]) }, 2, 5],
  ])("of %j, when %i are left to other requests, is %i", (stored, leaving, number) => {
    expect(series.offerLowest("p", series.namesLike("PC{0}"), stored, leaving).number).toBe(number);
  });

  test.each([
    [[], 1],
    [[1, 2, 3], 4],
    [[0, 1, 3], 2],
    [[2], 1],
    [[1, 900_000_000], 2],
  ])("of a series rebuilt from %j is %i", (taken, lowest) => {
    expect(series.offerAnew("p", series.namesLike("PC{0}"), new Set(taken)).number).toBe(lowest);
  });
});
