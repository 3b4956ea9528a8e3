/** How tests run: none is repeated, and properties have more runs when asked for. */

import { readFileSync } from "node:fs";
import type * as FastCheck from "fast-check";
import { expect, test, vi } from "vitest";
import config from "../../../vitest.config.ts";
import { propertyFactor } from "../../helpers/properties/factor.ts";
import { withMoreRuns } from "../../helpers/properties/more-runs.ts";

// Without the runs of this run of the tests.
const fastCheck = await vi.importActual<typeof FastCheck>("fast-check");
const { default: fc } = withMoreRuns(fastCheck, 7) as typeof FastCheck & { default: typeof FastCheck };

test("no project repeats a failed test", () => {
  const projects = config.test!.projects as { test: { name: string; retry?: number } }[];
  expect(projects.length).toBeGreaterThan(5);
  expect(projects.filter(({ test: { retry = 0 } }) => retry !== 0)).toEqual([]);
  expect(readFileSync(new URL("../../../.ci/run", import.meta.url), "utf8")).not.toMatch(/repeated|--retry/);
});

test.each([
  ["that names its number of runs", { numRuns: 20 }, 140],
  ["that names none", {}, 700],
])("a property %s has so many times more", (_name, parameters, runs) => {
  let count = 0;
  fc.assert(
    fc.property(fc.integer(), () => {
      count += 1;
    }),
    parameters,
  );
  expect(count).toBe(runs);
});

test("a property that waits has more runs, too", async () => {
  let count = 0;
  const property = fc.asyncProperty(fc.integer(), async () => {
    count += 1;
  });
  await fc.assert(property, { numRuns: 3 });
  expect(count).toBe(21);
});

test.each([fastCheck, fc])(
  "a property that fails prints its seed, its path and its counterexample",
  (checker) => {
    const property = checker.property(checker.constant("wrong"), (value) => value !== "wrong");
    const seed = 1486850141;
    expect(() => checker.assert(property, { seed })).toThrow(
      /seed: 1486850141, path: "0".*\n.*Counterexample: \["wrong"\]/,
    );
  },
);

test("the number of times is an integer from 1", () => {
  expect(propertyFactor("100")).toBe(100);
  for (const text of ["0", "-1", "1.5", "many", ""])
    expect(() => propertyFactor(text)).toThrow("WIRELAB_PROPERTY_RUNS");
});
