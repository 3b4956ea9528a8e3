/** The comparison with netem (test/proof/netem) needs a kernel that has it; its cases and its measures are checked here. */
import { expect, test } from "vitest";
import { CASES } from "../../../../proof/netem/cases.ts";
import { measure } from "../../../../proof/netem/measure.ts";
import { evenly, simulate } from "../../../../proof/netem/simulate.ts";

test.each(CASES)("the engine runs the case $name", ({ ours }) => {
  const sentNs = evenly(500, 1_000_000);
  const measured = measure(sentNs, simulate(ours, sentNs, 1_014));
  expect(Object.values(measured).every(Number.isFinite)).toBe(true);
  expect(measured["mean ms"] + measured["lost %"] + measured["copied %"]).toBeGreaterThan(0);
});

test("losses, copies, overtaking and delays are measured", () => {
  const arrived = [0, 2, 2, 1].map((number, index) => ({ number, atNs: 1e6 * (10 + index) }));
  expect(measure([0, 1e6, 2e6, 3e6, 4e6], arrived)).toEqual({
    "lost %": 40,
    burst: 2,
    "copied %": 20,
    "overtaken %": 20,
    "mean ms": (10 + 9 + 12) / 3,
    "deviation ms": expect.closeTo(1.247, 3),
    "p99 ms": 12,
  });
});
