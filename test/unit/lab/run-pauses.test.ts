import { runPauses } from "@wirelab/lab/run-pauses";
import { expect, test } from "vitest";

test("pauses grow from a quarter of a second to five seconds, and stay there", () => {
  const pauses = runPauses().take(20).toArray();
  expect(pauses[0]).toBe(250);
  expect(pauses).toEqual(pauses.toSorted((a, b) => a - b));
  expect(pauses.slice(-5)).toEqual(Array(5).fill(5_000));
});
