import fc from "fast-check";
import { expect, test } from "vitest";
import { Agenda } from "../../../../packages/engine/simulation/agenda.ts";

interface Planned {
  readonly timeNs: number;
  readonly number: number;
}

test("returns events in time order, those with equal times in planning order, with any pops in between", () => {
  fc.assert(
    fc.property(fc.array(fc.option(fc.nat(4), { freq: 3 }), { maxLength: 60 }), (steps) => {
      const agenda = new Agenda<Planned>();
      const waiting: Planned[] = [];
      let number = 0;
      for (const delay of steps) {
        if (delay !== null) {
          const event = { timeNs: agenda.nowNs + delay, number: number++ };
          agenda.push(event.timeNs, event);
          waiting.push(event);
          continue;
        }
        waiting.sort((a, b) => a.timeNs - b.timeNs || a.number - b.number);
        expect(agenda.nextTimeNs).toBe(waiting[0]?.timeNs ?? Number.POSITIVE_INFINITY);
        const next = waiting.shift();
        expect(agenda.pop()).toBe(next);
        if (next) expect(agenda.nowNs).toBe(next.timeNs);
      }
    }),
    { numRuns: 2_000 },
  );
});
