/** The preference `wait` (RFC 7240). */
import fc from "fast-check";
import { expect, test } from "vitest";
import { preferredWait } from "../../../../functions/shared/edge/prefer.ts";

test.each([
  ["wait=10", 10],
  ["wait=0", 0],
  ["wait=60", 20],
  ["WAIT=5", 5],
  ["respond-async, wait=10", 10],
  ["respond-async;wait=7, wait=10", 10],
  ['foo="a, wait=3", wait = "4"', 4],
  ["wait=5; foo=bar", 5],
  ["wait=3, wait=9", 3],
  [" , wait=2 ,", 2],
])("reads %s", (prefer, seconds) => {
  expect(preferredWait(prefer, 20)).toBe(seconds);
});

test.each([
  undefined,
  "",
  "respond-async",
  "wait",
  "wait=",
  'wait=""',
  "wait=-1",
  "wait=1.5",
  "wait=ten",
  "wait=1 2",
  "wait:10",
  'foo="wait=10',
  "wait=x, wait=9",
])("ignores %s", (prefer) => {
  expect(preferredWait(prefer, 20)).toBeUndefined();
});

test("takes any text", () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'wait=1,;" \\') }), (prefer) => {
      const seconds = preferredWait(prefer, 20);
      expect(seconds === undefined || (seconds >= 0 && seconds <= 20)).toBe(true);
    }),
  );
});
