import { parseLabFile } from "@wirelab/lab/read/parse-lab-file";
import { expect, test } from "vitest";
import { countCases, makeCases } from "../../../../functions/shared/lab-file/sweep-cases.ts";

const lab = parseLabFile("nodes: {a: 10.0.0.1/24, b: 10.0.0.2/24, s: switch}\nlinks: [a -- s, b -- s]", {
  name: "lab",
});

test("each combination of failures is played with each seed, the lab without a failure first", () => {
  const cases = makeCases(lab, { links: 1, seed: "x", seeds: 2 });
  expect(cases.map(({ failures, seed }) => [failures.length, seed])).toEqual([
    [0, "x"],
    [0, "x-2"],
    [1, "x"],
    [1, "x-2"],
    [1, "x"],
    [1, "x-2"],
  ]);
});

test.each([
  { seed: "1", seeds: 1 },
  { seed: "1", seeds: 3, links: 2 },
  { seed: "1", seeds: 1, nodes: 3 },
  { seed: "1", seeds: 2, links: 3, nodes: 2 },
])("%j has as many cases as are counted", (settings) => {
  expect(countCases(lab, settings)).toBe(makeCases(lab, settings).length);
});

test("465 single and double failures of 30 links, and no failure, are counted without being made", () => {
  const links = Array.from({ length: 30 }, (_, index) => ({ ...lab.links[0]!, name: `l${index}` }));
  expect(countCases({ ...lab, links }, { links: 2, seed: "1", seeds: 1 })).toBe(466);
});
