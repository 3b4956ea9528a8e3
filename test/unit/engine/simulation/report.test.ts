import { addCounts, DelayTally } from "@wirelab/engine/link/direction-report";
import { Digest } from "@wirelab/engine/simulation/digest";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

describe("delays", () => {
  test("have no summary if there are none", () => {
    expect(new DelayTally().summary(0)).toBeNull();
  });

  test("have percentiles by nearest rank, including zeros", () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 5e9 })), { minLength: 1 }),
        (delays) => {
          const tally = new DelayTally();
          for (const delayNs of delays) if (delayNs > 0) tally.add(delayNs);
          const sorted = delays.toSorted((a, b) => a - b).map((ns) => ns / 1e6);
          const rank = (percent: number) => sorted[Math.ceil((percent * sorted.length) / 100) - 1];
          const summary = tally.summary(delays.length)!;
          expect(summary).toMatchObject({
            min: sorted[0],
            max: sorted.at(-1),
            p50: rank(50),
            p90: rank(90),
            p99: rank(99),
          });
          expect(summary.mean).toBeCloseTo(sorted.reduce((sum, ms) => sum + ms, 0) / sorted.length, 6);
        },
      ),
    );
  });
});

test("counts of a changed filter add up, those of another filter stay separate", () => {
  const loss = { type: "packet_loss", seen: 3, dropped: 1, corrupted: 0, held: 0 } as const;
  const delay = { type: "delay", seen: 2, dropped: 0, corrupted: 0, held: 2 } as const;
  expect(addCounts([loss], [{ ...loss, seen: 4 }, delay])).toEqual([
    { type: "packet_loss", seen: 7, dropped: 2, corrupted: 0, held: 0 },
    delay,
  ]);
});

describe("a digest", () => {
  const of = (...parts: (string | number | Uint8Array)[]): string => {
    const digest = new Digest();
    for (const part of parts) {
      if (typeof part === "string") digest.addText(part);
      else if (typeof part === "number") digest.addNumber(part);
      else digest.addBytes(part);
    }
    return digest.toString();
  };

  test("is 16 hexadecimal digits, equal for equal histories", () => {
    expect(of("a", 5, Uint8Array.of(1, 2, 3))).toMatch(/^[0-9a-f]{16}$/);
    expect(of("a", 5)).toBe(of("a", 5));
  });

  test("is equal for one frame added several times and for equal frames", () => {
    const frame = (length: number) => Uint8Array.from({ length }, (_, i) => i * 7);
    const [short, long] = [frame(61), frame(9_000)];
    const equal = [61, 61, 9_000, 9_000, 61, 3].map(frame);
    expect(of(short, short, long, long, short, frame(3))).toBe(of(...equal));
  });

  test("differs for one changed bit, another order, and bytes moved from one frame to the next", () => {
    expect(of(Uint8Array.of(1, 2, 3, 4, 5))).not.toBe(of(Uint8Array.of(1, 2, 3, 4, 4)));
    expect(of(1, 2)).not.toBe(of(2, 1));
    expect(of("ab", "c")).not.toBe(of("a", "bc"));
    expect(of(2 ** 40)).not.toBe(of(2 ** 41));
  });
});
