import { EventQueue } from "@wirelab/engine/base/event-queue";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

function popAll<T>(queue: EventQueue<T>): T[] {
  const taken: T[] = [];
  while (queue.size > 0) taken.push(queue.pop() as T);
  return taken;
}

describe("the event queue", () => {
  it("returns events by time, in any order of insertion", () => {
    const queue = new EventQueue<string>();
    queue.push(30, "c");
    queue.push(10, "a");
    queue.push(20, "b");
    expect(popAll(queue)).toEqual(["a", "b", "c"]);
  });

  it("keeps the order of events at the same time", () => {
    const queue = new EventQueue<number>();
    for (let event = 0; event < 1_000; event++) queue.push(7, event);
    expect(popAll(queue)).toEqual(Array.from({ length: 1_000 }, (_, index) => index));
  });

  it("has the time of the last removed event", () => {
    const queue = new EventQueue<string>();
    queue.push(5, "a");
    queue.push(9, "b");
    expect([queue.nowNs, queue.nextTimeNs]).toEqual([0, 5]);
    queue.pop();
    expect([queue.nowNs, queue.nextTimeNs, queue.size]).toEqual([5, 9, 1]);
  });

  it("is empty with no next time and no event", () => {
    const queue = new EventQueue<string>();
    expect([queue.pop(), queue.nextTimeNs, queue.size]).toEqual([undefined, Number.POSITIVE_INFINITY, 0]);
  });

  it("rejects the past, and accepts the present", () => {
    const queue = new EventQueue<string>();
    queue.push(5, "a");
    queue.pop();
    expect(() => queue.push(4, "late")).toThrow("4 ns is in the past, the clock is at 5 ns");
    queue.push(5, "now");
    expect(queue.pop()).toBe("now");
  });

  it.each([0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53])(
    "rejects the time %d, which is not a safe integer",
    (timeNs) => {
      const queue = new EventQueue<string>();
      expect(() => queue.push(timeNs, "x")).toThrow("is not a safe integer");
      expect(() => queue.advanceTo(timeNs)).toThrow("is not a safe integer");
      expect(queue.size).toBe(0);
    },
  );

  it("moves its clock forward, not back and not past an event", () => {
    const queue = new EventQueue<string>();
    queue.push(10, "a");
    queue.advanceTo(10);
    expect(queue.nowNs).toBe(10);
    expect(() => queue.advanceTo(9)).toThrow("in the past");
    expect(() => queue.advanceTo(11)).toThrow("an event waits before 11 ns");
  });
});

describe("the event queue, against a sorted list", () => {
  // Few distinct times make many equal; pops between pushes make the heap grow and shrink.
  const operation = fc.oneof(
    { weight: 3, arbitrary: fc.record({ push: fc.integer({ min: 0, max: 12 }) }) },
    { weight: 2, arbitrary: fc.constant("pop" as const) },
  );

  it("removes the same events in the same order", () => {
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 400 }), (operations) => {
        const queue = new EventQueue<number>();
        let model: { timeNs: number; sequence: number }[] = [];
        for (const [sequence, step] of operations.entries()) {
          if (step === "pop") {
            const next = model.toSorted((a, b) => a.timeNs - b.timeNs || a.sequence - b.sequence)[0];
            model = model.filter((event) => event !== next);
            expect(queue.pop()).toBe(next?.sequence);
          } else {
            const timeNs = queue.nowNs + step.push;
            queue.push(timeNs, sequence);
            model.push({ timeNs, sequence });
          }
          expect(queue.size).toBe(model.length);
        }
      }),
    );
  });

  it("sorts a hundred thousand events with many equal times", () => {
    const queue = new EventQueue<number>();
    const times = Array.from({ length: 100_000 }, (_, index) => (index * 7_919) % 1_000);
    for (const [sequence, timeNs] of times.entries()) queue.push(timeNs, sequence);
    const sorted = times.map((timeNs, sequence) => ({ timeNs, sequence }));
    sorted.sort((a, b) => a.timeNs - b.timeNs || a.sequence - b.sequence);
    expect(popAll(queue)).toEqual(sorted.map(({ sequence }) => sequence));
  });
});
