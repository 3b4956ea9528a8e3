import { fnv1a64, isStreamState, makeStream, RandomStream, splitMix64 } from "@wirelab/engine/base/random";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { chiSquare, chiSquareLimit } from "../../../helpers/engine/chi-square.ts";

const DRAWS = 1_000_000;

function draw(stream: RandomStream, count: number): number[] {
  return Array.from({ length: count }, () => stream.nextUint32());
}

describe("the algorithms", () => {
  it("xoshiro128** 1.1 returns the reference implementation's values (as in rand_xoshiro's test) from state 1, 2, 3, 4", () => {
    expect(draw(new RandomStream([1, 2, 3, 4]), 10)).toEqual([
      11520, 0, 5927040, 70819200, 2031721883, 1637235492, 1287239034, 3734860849, 3729100597, 4258142804,
    ]);
  });

  it("FNV-1a returns the values published for 64 bits", () => {
    const hash = (text: string) => fnv1a64(new TextEncoder().encode(text)).toString(16);
    expect([hash(""), hash("a"), hash("foobar")]).toEqual([
      "cbf29ce484222325",
      "af63dc4c8601ec8c",
      "85944171f73967e8",
    ]);
  });

  it("SplitMix64 returns the values published for seed 1234567", () => {
    expect(splitMix64(1234567n, 3)).toEqual([
      6457827717110365317n,
      3203168211198807973n,
      9817491932198370423n,
    ]);
  });
});

describe("a named stream", () => {
  it("is the same for the same names", () => {
    expect(draw(makeStream("seed", "link", "a-to-b"), 5)).toEqual(
      draw(makeStream("seed", "link", "a-to-b"), 5),
    );
  });

  it("takes a number and its decimal text as one seed", () => {
    expect(draw(makeStream(42, "link"), 5)).toEqual(draw(makeStream("42", "link"), 5));
  });

  it("does not change from release to release", () => {
    expect(draw(makeStream(1, "link", "a-to-b", "packet_loss"), 3)).toMatchInlineSnapshot(`
      [
        4269067824,
        2209809668,
        23760035,
      ]
    `);
  });

  it.each([
    [
      ["ab", "c"],
      ["a", "bc"],
    ],
    [
      ["a", ""],
      ["", "a"],
    ],
    [["1:a"], ["a"]],
    [
      ["a", "b"],
      ["b", "a"],
    ],
  ])("differs between the names %j and %j", (names, others) => {
    expect(draw(makeStream(1, ...names), 4)).not.toEqual(draw(makeStream(1, ...others), 4));
  });
});

describe("below", () => {
  it.each([1, 2, 3, 100, 65_536, 2 ** 31, 2 ** 31 + 1, 2 ** 32 - 1])(
    "stays under %i and returns integers",
    (bound) => {
      const stream = makeStream("below", String(bound));
      for (let count = 0; count < 2_000; count++) {
        const result = stream.below(bound);
        expect(Number.isInteger(result) && result >= 0 && result < bound).toBe(true);
      }
    },
  );

  it("returns exactly the high word of draw times bound, and repeats biased draws", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 0xffff_ffff }), fc.string(), (bound, seed) => {
        const stream = makeStream(seed);
        const reference = makeStream(seed);
        const unfair = 2n ** 32n % BigInt(bound);
        let product = BigInt(reference.nextUint32()) * BigInt(bound);
        while (product % 2n ** 32n < unfair) product = BigInt(reference.nextUint32()) * BigInt(bound);
        expect(stream.below(bound)).toBe(Number(product >> 32n));
        expect(stream.saveState()).toEqual(reference.saveState());
      }),
    );
  });

  it("is uniform over 100 values (chi-square, a million draws)", () => {
    const stream = makeStream("uniform");
    const counts = new Array<number>(100).fill(0);
    for (let count = 0; count < DRAWS; count++) counts[stream.below(100)]! += 1;
    expect(chiSquare(counts, new Array(100).fill(DRAWS / 100))).toBeLessThan(chiSquareLimit(99));
  });

  it("is unbiased where a plain remainder is not: at three quarters of the range", () => {
    const bound = 3 * 2 ** 30;
    const stream = makeStream("three quarters");
    let lower = 0;
    for (let count = 0; count < DRAWS; count++) if (stream.below(bound) < bound / 3) lower += 1;
    // With a remainder, half of all draws would be in the lower third.
    const expected = [DRAWS / 3, (2 * DRAWS) / 3];
    expect(chiSquare([lower, DRAWS - lower], expected)).toBeLessThan(chiSquareLimit(1));
  });

  it.each([0, -1, 2 ** 32, Number.NaN])("rejects the bound %d", (bound) => {
    expect(() => makeStream(1).below(bound)).toThrow(RangeError);
  });
});

describe("a stream's state", () => {
  it("continues where it was saved, through JSON", () => {
    fc.assert(
      fc.property(fc.string(), fc.nat(50), (seed, before) => {
        const stream = makeStream(seed);
        draw(stream, before);
        const resumed = new RandomStream(JSON.parse(JSON.stringify(stream.saveState())));
        expect(draw(resumed, 5)).toEqual(draw(stream, 5));
      }),
    );
  });

  it.each([
    [[0, 0, 0, 0]],
    [[1, 2, 3]],
    [[1, 2, 3, 4, 5]],
    [[1, 2, 3, -1]],
    [[1, 2, 3, 0.5]],
    [["1", 2, 3, 4]],
    [null],
    [{}],
  ])("%j is not a state", (state) => {
    expect(isStreamState(state)).toBe(false);
    expect(() => new RandomStream(state as never)).toThrow(RangeError);
  });
});
