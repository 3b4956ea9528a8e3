import { describe, expect, it } from "vitest";
import {
  decodeOptions,
  encodeOptions,
  type TcpOptions,
} from "../../../../../packages/engine/net/tcp/options.ts";
import {
  addRange,
  covers,
  firstCovered,
  nextGap,
  type Range,
  removeBefore,
} from "../../../../../packages/engine/net/tcp/ranges.ts";

describe("the options of a segment", () => {
  it("are each aligned to four bytes", () => {
    const options: TcpOptions = {
      mssBytes: 1_460,
      isSackPermitted: true,
      timestamps: { value: 0x01020304, echo: 0 },
      windowShift: 7,
    };
    const bytes = encodeOptions(options);
    expect(Buffer.from(bytes).toString("hex")).toBe("020405b401010402010303070101080a0102030400000000");
    expect(decodeOptions(bytes)).toEqual(options);
  });

  it("have room for three blocks beside timestamps, and four without", () => {
    const sack = [1, 2, 3, 4, 5].map((n) => [n * 10, n * 10 + 5] as const);
    const timestamps = { value: 1, echo: 2 };
    expect(decodeOptions(encodeOptions({ sack, timestamps })).sack).toEqual(sack.slice(0, 3));
    expect(decodeOptions(encodeOptions({ sack })).sack).toEqual(sack.slice(0, 4));
  });

  it.each([
    ["a length of zero", [2, 0, 5, 180]],
    ["a length of one", [2, 1, 5, 180]],
    ["a length past the end", [2, 10, 5, 180]],
    ["half a block", [5, 6, 0, 0, 0, 1]],
    ["an unknown kind", [253, 4, 0, 0]],
    ["the end of the list", [0, 2, 4, 5, 180]],
  ])("ignore %s", (_, bytes) => expect(decodeOptions(Uint8Array.from(bytes))).toEqual({}));
});

describe("ranges", () => {
  /** The same, as a set of positions. */
  const setOf = (ranges: readonly Range[]): Set<number> =>
    new Set(ranges.flatMap(([start, end]) => Array.from({ length: end - start }, (_, n) => start + n)));

  it("behave as a set of positions, under any changes", () => {
    let state = 7;
    const below = (bound: number): number => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return state % bound;
    };
    for (let round = 0; round < 200; round++) {
      const ranges: Range[] = [];
      const model = new Set<number>();
      for (let step = 0; step < 20; step++) {
        const start = below(40);
        const end = start + 1 + below(8);
        if (below(3) > 0) {
          const before = model.size;
          for (let at = start; at < end; at++) model.add(at);
          expect(addRange(ranges, start, end).isNew).toBe(model.size > before);
        }
        expect(setOf(ranges)).toEqual(model);
        const inside = [...model].filter((at) => at >= start && at < end).sort((a, b) => a - b);
        expect(firstCovered(ranges, start, end)?.[0]).toBe(inside[0]);
        expect(covers(ranges, start)).toBe(model.has(start));
        expect(ranges.every(([from, to], n) => from < to && (n === 0 || ranges[n - 1]![1] < from))).toBe(
          true,
        );
      }
      removeBefore(ranges, 20);
      expect(setOf(ranges)).toEqual(new Set([...model].filter((at) => at >= 20)));
    }
  });

  it("find the next gap", () => {
    const ranges: Range[] = [
      [2, 4],
      [10, 12],
    ];
    expect([nextGap(ranges, 0), nextGap(ranges, 3), nextGap(ranges, 5)]).toEqual([
      [0, 2],
      [4, 10],
      [5, 10],
    ]);
    expect(nextGap(ranges, 11)).toEqual([12, Number.POSITIVE_INFINITY]);
  });
});
