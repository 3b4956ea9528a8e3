import { parseMs } from "@wirelab/lab/model/quantity";
import { expect, test } from "vitest";
import { holds, parseComparison } from "../../../packages/lab/model/comparison.ts";
import { verdicts } from "./helpers.ts";

test("the unit at the end of a range is that of both numbers", () => {
  const range = parseComparison("1..2s", parseMs)!;
  expect([2, 999, 1_000, 2_000, 2_001].map((ms) => holds(range, ms))).toEqual([
    false,
    false,
    true,
    true,
    false,
  ]);
  expect(holds(parseComparison("900us..2s", parseMs)!, 1)).toBe(true);
});

test("a ping that is answered too late has packets as evidence, and no place where one ended", () => {
  const topology = "nodes: {a: 10.0.0.1/24, b: 10.0.0.2/24}\nlinks: [{link: a -- b, filters: {delay: 50}}]";
  const [verdict] = verdicts(topology, "- {ping: a -> b, max: < 10ms, lost: 0}");
  expect(verdict).toMatchObject({ status: "failed", evidence: { death: undefined } });
  expect(verdict!.evidence!.packets).not.toEqual([]);
});
