import { expect, test } from "vitest";
import { Register } from "../../bench/load/register.ts";
import { describe as report, Tally } from "../../bench/load/tally.ts";

/** A register with value 0, then writes of 1 from 10 to 20 and of 2 from 30 to 40. */
function writtenTwice(): Register {
  const register = new Register(0);
  for (const beginMs of [10, 30]) register.begin(beginMs).endMs = beginMs + 10;
  return register;
}

test.each([
  [0, 5, 8, true, "before the first write"],
  [1, 5, 8, false, "before it was written"],
  [0, 12, 15, true, "while the next is being written"],
  [1, 12, 15, true, "while it is being written"],
  [0, 21, 25, false, "after another was written"],
  [1, 21, 25, true, "after it was written"],
  [1, 21, 60, true, "in a read that began before the next write"],
  [1, 41, 60, false, "after the next write"],
  [2, 41, 60, true, "after the last write"],
  [9, 41, 60, false, "that was never written"],
])("reading %i from %i to %i is right: %s (%s)", (value, beginMs, endMs, isRight) => {
  expect(writtenTwice().mayBe(value, beginMs, endMs)).toBe(isRight);
});

test("a write with an unknown outcome may be read, or not", () => {
  const register = writtenTwice();
  const { value } = register.begin(50);
  expect(register.mayBe(value, 60, 70)).toBe(true);
  expect(register.mayBe(2, 60, 70)).toBe(true);
});

test("the tally names routes that were not used, and counts errors and times", () => {
  const tally = new Tally();
  for (const ms of [1, 2, 3, 4]) tally.note({ route: "getThing", status: ms === 4 ? 503 : 200, ms });
  expect(tally.missing(["getThing", "putThing"])).toEqual(["putThing"]);
  const lines = report(tally.samples, 2).split("\n");
  expect(lines[1]).toMatch(/^getThing +4 +1 +3\.0 +4\.0 +4\.0 +4\.0$/);
  expect(lines.at(-1)).toBe("2.0 requests a second over 2.0 s; by status: 200: 3, 503: 1");
});
