import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const README = readFileSync(new URL("../../README.md", import.meta.url), "utf8");

test("the README has at most 120 lines, none over 120 characters", () => {
  const lines = README.trimEnd().split("\n");
  expect(lines.length).toBeLessThanOrEqual(120);
  expect(lines.filter((line) => line.length > 120)).toEqual([]);
});
