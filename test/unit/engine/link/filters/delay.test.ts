import { makeStream } from "@wirelab/engine/base/random";
import { describe, expect, it } from "vitest";
import { Delay } from "../../../../../packages/engine/link/filters/delay.ts";
import { HOLD } from "../../../../../packages/engine/link/filters/link-filter.ts";
import { chiSquare, chiSquareLimit } from "../../../../helpers/engine/chi-square.ts";
import { passageOf } from "../../../../helpers/engine/links.ts";

const NS_PER_MS = 1e6;
const PACKETS = 1_000_000;

function delaysNs(latencyMs: number, jitterMs: number, count: number): Float64Array {
  const filter = new Delay(latencyMs, jitterMs, makeStream("delay", `${latencyMs}`, `${jitterMs}`));
  return Float64Array.from({ length: count }, () => {
    const passage = passageOf(new Uint8Array(1));
    expect(filter.decide(passage)).toBe(HOLD);
    return passage.delayNs;
  });
}

describe("delay", () => {
  it("is the latency for every packet when there is no jitter", () => {
    expect(new Set(delaysNs(32_767, 0, 100))).toEqual(new Set([32_767 * NS_PER_MS]));
  });

  it("lies within latency plus and minus jitter, and reaches both ends", () => {
    const delays = delaysNs(2, 1, 50_000);
    expect(delays.reduce((a, b) => Math.min(a, b))).toBe(1 * NS_PER_MS);
    expect(delays.reduce((a, b) => Math.max(a, b))).toBe(3 * NS_PER_MS);
    expect(delays.every(Number.isInteger)).toBe(true);
  });

  it("is never below zero, however large the jitter", () => {
    const delays = delaysNs(1, 3, 50_000);
    expect(delays.every((delayNs) => delayNs >= 0 && delayNs <= 4 * NS_PER_MS)).toBe(true);
    // A third of [-2, 4] ms is below zero.
    expect(delays.filter((delayNs) => delayNs === 0).length / 50_000).toBeCloseTo(1 / 3, 2);
  });

  it("holds the widest jitter in bounds", () => {
    const delays = delaysNs(32_767, 32_767, 20_000);
    expect(delays.every((delayNs) => delayNs >= 0 && delayNs <= 65_534 * NS_PER_MS)).toBe(true);
  });

  it("is uniform over the jitter (chi-square, a million packets)", () => {
    const filter = new Delay(10, 5, makeStream("uniform"));
    const counts = new Array<number>(100).fill(0);
    for (let packet = 0; packet < PACKETS; packet++) {
      const passage = passageOf(new Uint8Array(0));
      filter.decide(passage);
      // 10,001 steps of a microsecond from 5 to 15 ms: the last step shares the last of 100 classes.
      counts[Math.min(99, Math.floor((passage.delayNs / NS_PER_MS - 5) * 10))]! += 1;
    }
    const expected = counts.map((_, index) => (PACKETS * (index === 99 ? 101 : 100)) / 10_001);
    expect(chiSquare(counts, expected)).toBeLessThan(chiSquareLimit(99));
  });

  it("adds to a delay that the packet already has", () => {
    const passage = { ...passageOf(new Uint8Array(1)), delayNs: 5 };
    new Delay(1, 0, makeStream(1)).decide(passage);
    expect(passage.delayNs).toBe(NS_PER_MS + 5);
  });

  it.each([0, 5])(
    "draws the same number of random values for a packet that an earlier filter dropped (jitter %i)",
    (jitterMs) => {
      const skipping = new Delay(10, jitterMs, makeStream(5));
      const deciding = new Delay(10, jitterMs, makeStream(5));
      skipping.skip();
      deciding.decide(passageOf(new Uint8Array(1)));
      expect(skipping.saveState()).toEqual(deciding.saveState());
    },
  );
});
