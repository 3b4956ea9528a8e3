import { EventQueue } from "@wirelab/engine/base/event-queue";
import { makeStream } from "@wirelab/engine/base/random";
import { describe, expect, test } from "vitest";
import { SlotQueue } from "../../../../packages/engine/base/slot-queue.ts";

/** How far ahead slots are due: at once, with ties, within a bucket, within all buckets, and beyond them. */
const SPREADS_NS: Readonly<Record<string, number>> = {
  "at few times": 4,
  "in one bucket": 100_000,
  "in a few buckets": 3_000_000,
  "in all buckets": 500_000_000,
  "beyond the buckets": 3_000_000_000,
};

/** Pushes and takes at random; both queues must agree on everything that can be seen. */
function compare(spreadNs: number, seed: string, most: number): number {
  const random = makeStream(seed, "slot queue", String(spreadNs));
  const queue = new SlotQueue();
  const oracle = new EventQueue<number>();
  const free: number[] = [];
  let slots = 0;
  let taken = 0;
  for (let round = 0; round < 4_000; round++) {
    const grows = random.below(100) < (queue.size > most ? 20 : 70);
    if (grows) {
      const slot = free.shift() ?? slots++;
      const timeNs = oracle.nowNs + random.below(random.below(10) === 0 ? 4_000_000_000 : spreadNs);
      queue.push(timeNs, slot);
      oracle.push(timeNs, slot);
    } else if (queue.size > 0) {
      const slot = oracle.pop()!;
      expect(queue.pop()).toBe(slot);
      free.push(slot);
      taken += 1;
    } else {
      const timeNs = oracle.nowNs + random.below(1_000_000_000);
      queue.advanceTo(timeNs);
      oracle.advanceTo(timeNs);
    }
    expect([queue.size, queue.nextTimeNs, queue.nowNs]).toEqual([
      oracle.size,
      oracle.nextTimeNs,
      oracle.nowNs,
    ]);
  }
  for (let slot = oracle.pop(); slot !== undefined; slot = oracle.pop()) expect(queue.pop()).toBe(slot);
  expect(queue.pop()).toBeUndefined();
  return taken;
}

describe("a slot queue takes slots in the order of an event queue", () => {
  test.each(Object.entries(SPREADS_NS))("due %s", (_, spreadNs) => {
    for (const [seed, most] of [
      ["1", 3],
      ["2", 50],
      ["3", 2_000],
    ] as const)
      expect(compare(spreadNs, seed, most)).toBeGreaterThan(500);
  });

  test("also a thousand at one time, before and behind others", () => {
    const queue = new SlotQueue();
    for (let slot = 0; slot < 1_000; slot++) queue.push(slot % 2 === 0 ? 200_000 : 900_000_000, slot);
    queue.push(1, 1_000);
    const order = Array.from({ length: 1_001 }, () => queue.pop()!);
    const evens = Array.from({ length: 500 }, (_, index) => 2 * index);
    expect(order).toEqual([1_000, ...evens, ...evens.map((even) => even + 1)]);
  });
});
