import { addNanoseconds, epochTimeFromNs, epochTimeToNs, MAX_RUN_NS } from "@wirelab/engine/base/time";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

const anyEpochNs = fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n });

describe("time", () => {
  it("carries nanoseconds into seconds", () => {
    expect(addNanoseconds({ seconds: 10, nanoseconds: 999_999_999 }, 1)).toEqual({
      seconds: 11,
      nanoseconds: 0,
    });
  });

  it("keeps the nanoseconds of a moment before 1970 in [0, 1e9)", () => {
    expect(epochTimeFromNs(-1n)).toEqual({ seconds: -1, nanoseconds: 999_999_999 });
  });

  it("converts to nanoseconds since the epoch and back without loss", () => {
    fc.assert(
      fc.property(anyEpochNs, (epochNs) => {
        expect(epochTimeToNs(epochTimeFromNs(epochNs))).toBe(epochNs);
      }),
    );
  });

  it("adds exactly, up to the longest run", () => {
    fc.assert(
      fc.property(anyEpochNs, fc.integer({ min: 0, max: MAX_RUN_NS }), (startNs, offsetNs) => {
        const sum = addNanoseconds(epochTimeFromNs(startNs), offsetNs);
        expect(epochTimeToNs(sum)).toBe(startNs + BigInt(offsetNs));
        expect(sum.nanoseconds).toBeLessThan(1e9);
      }),
    );
  });
});
