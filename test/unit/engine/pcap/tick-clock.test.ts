import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { TickClock } from "../../../../packages/engine/pcap/tick-clock.ts";

const MAX_64 = 2n ** 64n - 1n;

function convert(tsresol: number, ticks: bigint, offsetSeconds = 0) {
  const clock = new TickClock(tsresol, offsetSeconds);
  const ok = clock.convert(Number(ticks >> 32n), Number(ticks & 0xffff_ffffn));
  return { ok, seconds: clock.seconds, nanoseconds: clock.nanoseconds };
}

describe("the tick clock", () => {
  it.each([
    ["seconds", 0, 1_700_000_000n, 1_700_000_000, 0],
    ["milliseconds", 3, 1_700_000_000_123n, 1_700_000_000, 123_000_000],
    ["microseconds", 6, 1_700_000_000_123_456n, 1_700_000_000, 123_456_000],
    ["nanoseconds", 9, 1_700_000_000_123_456_789n, 1_700_000_000, 123_456_789],
    ["picoseconds, cut to nanoseconds", 12, 1_700_000_123_456_789_999n, 1_700_000, 123_456_789],
    ["halves of a second", 0x81, 3_400_000_001n, 1_700_000_000, 500_000_000],
    ["2^-20 seconds", 0x94, (1_700_000_000n << 20n) + 1n, 1_700_000_000, 953],
    ["the finest binary unit", 0xff, 1n, 0, 0],
    ["the finest decimal unit", 0x7f, MAX_64, 0, 0],
  ])("counts %s", (_, tsresol, ticks, seconds, nanoseconds) => {
    expect(convert(tsresol, ticks)).toEqual({ ok: true, seconds, nanoseconds });
  });

  it("adds the interface's offset", () => {
    expect(convert(6, 1_500_000n, -10)).toEqual({ ok: true, seconds: -9, nanoseconds: 500_000_000 });
  });

  it("returns false if the seconds are not a safe integer", () => {
    expect(convert(0, MAX_64).ok).toBe(false);
    expect(convert(0, BigInt(Number.MAX_SAFE_INTEGER)).ok).toBe(true);
    expect(convert(0, BigInt(Number.MAX_SAFE_INTEGER), 1).ok).toBe(false);
    expect(convert(6, 0n, -Number.MAX_SAFE_INTEGER).ok).toBe(true);
  });

  it("agrees with arithmetic on big integers for every unit and every 64-bit count", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 255 }), fc.bigInt({ min: 0n, max: MAX_64 }), (tsresol, ticks) => {
        const perSecond = (tsresol & 0x80 ? 2n : 10n) ** BigInt(tsresol & 0x7f);
        const { ok, seconds, nanoseconds } = convert(tsresol, ticks);
        expect(ok).toBe(ticks / perSecond <= BigInt(Number.MAX_SAFE_INTEGER));
        if (!ok) return;
        expect(BigInt(seconds)).toBe(ticks / perSecond);
        expect(BigInt(nanoseconds)).toBe(((ticks % perSecond) * 1_000_000_000n) / perSecond);
      }),
      { numRuns: 2_000 },
    );
  });

  it("agrees with big integers in the units that use long division", () => {
    fc.assert(
      fc.property(fc.integer({ min: 3, max: 9 }), fc.bigInt({ min: 0n, max: MAX_64 }), (tsresol, ticks) => {
        const perSecond = 10n ** BigInt(tsresol);
        const { seconds, nanoseconds } = convert(tsresol, ticks);
        const expected = [ticks / perSecond, ((ticks % perSecond) * 1_000_000_000n) / perSecond];
        if (expected[0]! <= BigInt(Number.MAX_SAFE_INTEGER))
          expect([seconds, nanoseconds].map(BigInt)).toEqual(expected);
      }),
      { numRuns: 2_000 },
    );
  });
});
