/** Measures events a second through the scheduler. */

import { EventQueue } from "@wirelab/engine/base/event-queue";
import { makeStream } from "@wirelab/engine/base/random";
import { benchRate, heading } from "./engine-measure.ts";

const TARGET = {
  perSecond: 5_000_000,
  limitedBy: "the heap: some ten comparisons and moves an event, over memory that must stay in the cache",
};
const EVENTS = 2_000_000;
const STEPS = 65_536;

export function benchEvents(): void {
  heading("scheduler (hold model: each event taken out puts one in at a random later time)");
  for (const pending of [100, 1_000, 10_000, 100_000]) {
    const target = pending === 1_000 ? TARGET : undefined;
    benchRate(`${pending.toLocaleString("en-US")} pending`, "events", EVENTS, holdModel(pending), target);
  }
  benchRate("1,000 pending, in order", "events", EVENTS, runInOrder, TARGET);
}

function holdModel(pending: number): () => number {
  const random = makeStream("hold", String(pending));
  const stepsNs = Float64Array.from({ length: STEPS }, () => random.below(1_000_000));
  return () => {
    const queue = new EventQueue<number>();
    for (let event = 0; event < pending; event++) queue.push(stepsNs[event % STEPS]!, event);
    for (let event = 0; event < EVENTS; event++) {
      const payload = queue.pop()!;
      queue.push(queue.nowNs + stepsNs[event % STEPS]!, payload);
    }
    return queue.size;
  };
}

/** Schedules each event a fixed delay ahead, so it is later than all before it. */
function runInOrder(): number {
  const queue = new EventQueue<number>();
  for (let event = 0; event < EVENTS; event++) {
    queue.push(event * 1_000 + 1_000_000, event);
    if (queue.size > 1_000) queue.pop();
  }
  return queue.size;
}
