import { describe, expect, test } from "vitest";
import { sendThrough, stream } from "./harness.ts";

const MS = 1_000_000;

describe("rate", () => {
  test("sends a packet of 1,500 bytes in 1.2 ms at 10 Mb/s", () => {
    const { arrived } = sendThrough({ rate: "10mbit" }, [{ atNs: 0, bytes: 1_500 }]);
    expect(arrived.map(({ atNs }) => atNs)).toEqual([1_200_000]);
  });

  test("sends waiting packets back to back, without rounding up a nanosecond", () => {
    // 100 bytes at 7 bits a second take 114,285,714,285.714... ns.
    const { arrived } = sendThrough({ rate: 7 }, stream(1_000, 0));
    const exact = arrived.map((_, index) => Number((BigInt(index + 1) * 800n * 1_000_000_000n) / 7n));
    expect(arrived.map(({ atNs }) => atNs)).toEqual(exact);
  });

  test("counts overhead and cells as netem does", () => {
    // 100 + 8 bytes are three cells of 48, each with 5 bytes more: 159 bytes.
    const rate = { rate: "8mbit", overhead: 8, cell_size: 48, cell_overhead: 5 };
    expect(sendThrough({ rate }, [{ atNs: 0 }]).arrived[0]?.atNs).toBe(159_000);
  });

  test("drops at the tail of a full queue", () => {
    // One packet is being sent, two wait.
    const { arrived, lost } = sendThrough({ rate: "8mbit", queue: 2 }, stream(5, 0));
    expect(arrived.map(({ number }) => number)).toEqual([1, 2, 3]);
    expect(lost).toEqual([
      { number: 4, reason: "queue.full" },
      { number: 5, reason: "queue.full" },
    ]);
  });

  test("lets a burst pass at once, and then the rate", () => {
    // A bucket of 1,000 bytes fills with 1 byte each microsecond.
    const { arrived } = sendThrough({ rate: { rate: "8mbit", burst: 1_000 } }, stream(13, 0));
    expect(arrived.map(({ atNs }) => atNs)).toEqual([...new Array(10).fill(0), 100_000, 200_000, 300_000]);
  });

  test("delivers at the opportunities of a mahimahi trace and loses unused ones", () => {
    // Opportunities at 1, 3, 3 ms, and again at 4, 6, 6: each for 1,504 bytes.
    const rate = { opportunities: "1\n3\n3\n" };
    const sent = [
      { atNs: 0, bytes: 752 },
      { atNs: 0, bytes: 752 },
      { atNs: 0, bytes: 2_000 },
      { atNs: 5 * MS, bytes: 100 },
    ];
    expect(sendThrough({ rate }, sent).arrived.map(({ atNs }) => atNs)).toEqual(
      [1, 1, 3, 6].map((ms) => ms * MS),
    );
  });
});

describe("delay", () => {
  test("delays by nanoseconds", () => {
    const { arrived } = sendThrough({ delay: "1500ns" }, [{ atNs: 7 }]);
    expect(arrived[0]?.atNs).toBe(1_507);
  });

  test("comes after the rate", () => {
    const { arrived } = sendThrough({ rate: "8mbit", delay: "1ms" }, stream(2, 0));
    expect(arrived.map(({ atNs }) => atNs)).toEqual([1.1 * MS, 1.2 * MS]);
  });
});
