import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { minimize } from "../../../../packages/lab/shrink/minimize.ts";

const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

describe("minimize", () => {
  test("finds the items that a failure needs, in order", () => {
    const needed = fc
      .integer({ min: 1, max: 40 })
      .chain((count) => fc.tuple(fc.constant(count), fc.subarray(upTo(count))));
    fc.assert(
      fc.property(needed, ([count, wanted]) => {
        expect(minimize(upTo(count), (part) => wanted.every((item) => part.includes(item)))).toEqual(wanted);
      }),
    );
  });

  test("leaves a list from which no single item can go, if the failure needs one of several", () => {
    const kept = minimize(upTo(20), (part) => part.filter((item) => item % 2 === 0).length >= 3);
    expect(kept).toHaveLength(3);
  });

  test("finds one item of a thousand in few tries", () => {
    let tries = 0;
    minimize(upTo(1_000), (part) => ++tries > 0 && part.includes(777));
    expect(tries).toBeLessThan(50);
  });
});
