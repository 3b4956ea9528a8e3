import { describe, expect, test } from "vitest";
import { sendThrough, stream } from "./harness.ts";
import {
  autocorrelation,
  isUnlikelyByKolmogorov,
  isUnlikelyBySquares,
  normalCumulative,
} from "./statistics.ts";

const MS = 1_000_000;
const COUNT = 20_000;

/** Returns the delays of packets in milliseconds, in order of sending. */
const delaysMs = (delay: object, count = COUNT): number[] => {
  const sent = stream(count, MS);
  const delays = new Array<number>(count);
  for (const { number, atNs } of sendThrough({ delay }, sent).arrived)
    delays[number - 1] = (atNs - sent[number - 1]!.atNs) / MS;
  return delays;
};

describe("jitter", () => {
  const pareto = (x: number): number => 1 - (x * 0.75 + 1.5) ** -3;
  test.each([
    ["uniform", (x: number) => (x + 1) / 2],
    ["normal", normalCumulative],
    ["pareto", pareto],
  ])("has the distribution %s", (distribution, cumulative) => {
    const values = delaysMs({ delay: 100, jitter: 10, distribution }).map((ms) => (ms - 100) / 10);
    expect(isUnlikelyByKolmogorov(values, cumulative)).toBe(false);
    expect(isUnlikelyByKolmogorov(values, (x) => cumulative(x + 0.05))).toBe(true);
  });

  test("has the distribution paretonormal, a quarter of the one and three quarters of the other", () => {
    const values = delaysMs({ delay: 100, jitter: 10, distribution: "paretonormal" });
    const mean = values.reduce((sum, value) => sum + value, 0) / COUNT;
    expect(mean).toBeCloseTo(100, 0);
    // The quantile function is a sum; so is its value at the median: 0.75 * (2^(1/3) - 1.5) * 4/3.
    const median = [...values].sort((a, b) => a - b)[COUNT / 2]!;
    expect(median).toBeCloseTo(100 + 10 * (2 ** (1 / 3) - 1.5), 0);
  });

  test("takes its values from a table in netem's format, in 8192ths", () => {
    const table = "# three values\n-8192 0\n16384";
    const values = delaysMs({ delay: 100, jitter: 10, distribution: "table", table }, 6_000);
    const counts = [90, 100, 120].map((ms) => values.filter((value) => value === ms).length);
    expect(isUnlikelyBySquares(counts, [2_000, 2_000, 2_000])).toBe(false);
  });

  test("repeats itself as the correlation says, with the same distribution", () => {
    const values = delaysMs({ delay: 100, jitter: 10, correlation: "50%" });
    expect(autocorrelation(values)).toBeCloseTo(0.5, 1);
    expect(values.filter((value) => value < 95).length / COUNT).toBeCloseTo(0.25, 1);
  });

  test("never makes a delay negative", () => {
    expect(Math.min(...delaysMs({ delay: 1, jitter: 10 }, 1_000))).toBe(0);
  });

  test("changes the order of packets, unless the order is kept", () => {
    const order = (keep_order: boolean) =>
      sendThrough({ delay: { delay: 10, jitter: 5, keep_order } }, stream(200, MS)).arrived.map(
        ({ number }) => number,
      );
    const sorted = order(true);
    expect(sorted).toEqual([...sorted].sort((a, b) => a - b));
    expect(order(false)).not.toEqual(sorted);
  });
});

describe("duplicate", () => {
  test("sends packets twice with the chance that is set", () => {
    const { arrived, report } = sendThrough({ duplicate: "30%" }, stream(COUNT, MS));
    const copies = arrived.length - COUNT;
    expect(report.duplicated.packets).toBe(copies);
    expect(isUnlikelyBySquares([copies, COUNT - copies], [0.3 * COUNT, 0.7 * COUNT])).toBe(false);
  });

  test("a copy is delayed and damaged by itself", () => {
    const { arrived } = sendThrough({ duplicate: 100, delay: { delay: 10, jitter: 5 }, corrupt: 100 }, [
      { atNs: 0 },
    ]);
    expect(arrived).toHaveLength(2);
    expect(arrived[0]!.atNs).not.toBe(arrived[1]!.atNs);
    expect(arrived[0]!.data).not.toEqual(arrived[1]!.data);
  });
});

describe("corrupt", () => {
  test("flips bits anywhere, evenly", () => {
    const { arrived, report } = sendThrough({ corrupt: 100 }, stream(16_000, MS, 8));
    const counts = new Array<number>(64).fill(0);
    for (const { data } of arrived) {
      const bits = [...data].flatMap((byte, at) =>
        [0, 1, 2, 3, 4, 5, 6, 7].filter((bit) => (byte >> bit) & 1).map((bit) => 8 * at + bit),
      );
      expect(bits).toHaveLength(1);
      counts[bits[0]!]! += 1;
    }
    expect(
      isUnlikelyBySquares(
        counts,
        counts.map(() => 250),
      ),
    ).toBe(false);
    expect(report.counts).toMatchObject([{ type: "corrupt", seen: 16_000, corrupted: 16_000 }]);
  });

  test("overwrites bytes", () => {
    const { arrived } = sendThrough({ corrupt: { chance: 100, bytes: 1 } }, stream(1_000, MS, 8));
    for (const { data } of arrived) expect(data.filter((byte) => byte !== 0)).toHaveLength(1);
  });

  test("loses damaged frames if the CRC check drops them", () => {
    const { lost } = sendThrough({ corrupt: { chance: 100, crc: "drop" } }, stream(3, MS));
    expect(lost.map(({ reason }) => reason)).toEqual(["corrupt", "corrupt", "corrupt"]);
  });

  test("does not write into the sender's bytes", () => {
    const data = new Uint8Array(20);
    sendThrough({ corrupt: 100 }, [{ atNs: 0, data }]);
    expect(data).toEqual(new Uint8Array(20));
  });
});

describe("reorder", () => {
  test("sends every gap-th packet at once, as netem's gap", () => {
    const { arrived } = sendThrough({ delay: 10, reorder: { chance: 100, gap: 5 } }, stream(10, MS));
    expect(arrived.map(({ number }) => number)).toEqual([5, 10, 1, 2, 3, 4, 6, 7, 8, 9]);
  });

  test("sends packets at once with the chance that is set", () => {
    const sent = stream(COUNT, MS);
    const { arrived } = sendThrough({ delay: 10, reorder: "25%" }, sent);
    const early = arrived.filter(({ number, atNs }) => atNs === sent[number - 1]!.atNs).length;
    expect(isUnlikelyBySquares([early, COUNT - early], [0.25 * COUNT, 0.75 * COUNT])).toBe(false);
  });
});

describe("slots", () => {
  test("deliver packets in groups, each of at most the set number", () => {
    const { arrived } = sendThrough({ slots: { min_delay: 10, packets: 2 } }, stream(5, MS));
    expect(arrived.map(({ number, atNs }) => [number, atNs / MS])).toEqual([
      [1, 10],
      [2, 10],
      [3, 20],
      [4, 20],
      [5, 30],
    ]);
  });

  test("the times between slots are even over their range", () => {
    const sent = stream(COUNT, 100 * MS);
    const { arrived } = sendThrough({ slots: { min_delay: 10, max_delay: 20 } }, sent);
    const waits = arrived.map(({ number, atNs }) => (atNs - sent[number - 1]!.atNs) / MS);
    expect(isUnlikelyByKolmogorov(waits, (ms) => (ms - 10) / 10)).toBe(false);
  });
});

test("drop, mtu and broken drop what they say", () => {
  expect(sendThrough({ broken: true }, stream(2, 0)).lost).toHaveLength(2);
  // The network packet of an untagged frame of 114 bytes has 100.
  const sizes = [
    { atNs: 0, bytes: 114 },
    { atNs: 0, bytes: 115 },
  ];
  expect(sendThrough({ mtu: 100 }, sizes).lost).toEqual([{ number: 2, reason: "mtu" }]);
  const tagged = Uint8Array.from({ length: 118 }, (_, at) => (at === 12 ? 0x81 : 0));
  expect(sendThrough({ mtu: 100 }, [{ atNs: 0, data: tagged }]).lost).toEqual([]);
});
