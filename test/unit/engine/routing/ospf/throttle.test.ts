/** FRR's `timers throttle spf`: the time between two computations of the routes. */

import { describe, expect, it } from "vitest";
import { DEFAULT_TIMERS } from "../../../../../packages/engine/routing/ospf/config.ts";
import { scheduleSpf } from "../../../../../packages/engine/routing/ospf/spf-schedule.ts";
import { newOspf, type Ospf } from "../../../../../packages/engine/routing/ospf/state.ts";
import { configOf } from "../../../../helpers/engine/ospf-network.ts";

class Clock {
  nowUs = 0;
  random = (): number => 0;
  send(): void {}
  routesChanged(): void {}
  neighbourChanged(): void {}
}

function changeAt(ospf: Ospf, clock: Clock, ms: number): number {
  clock.nowUs = ms * 1_000;
  scheduleSpf(ospf);
  return ospf.timers.dueUs("spf", 0)! / 1_000;
}

function run(ospf: Ospf, ms: number): void {
  ospf.timers.clear("spf", 0);
  ospf.spf.lastUs = ms * 1_000;
}

describe("the throttle with FRR's 0 50 5000", () => {
  it("computes at once after a quiet time, and then no sooner than the hold time, which grows", () => {
    const clock = new Clock();
    const ospf = newOspf(clock, configOf("1.1.1.1", []));
    expect(changeAt(ospf, clock, 1_000)).toBe(1_000);
    run(ospf, 1_000);
    expect(changeAt(ospf, clock, 1_010)).toBe(1_050);
    run(ospf, 1_050);
    expect(changeAt(ospf, clock, 1_060)).toBe(1_150);
    run(ospf, 1_150);
    expect(changeAt(ospf, clock, 1_151)).toBe(1_300);
    run(ospf, 1_300);
    expect(changeAt(ospf, clock, 2_000)).toBe(2_000);
    run(ospf, 2_000);
    expect(changeAt(ospf, clock, 2_001)).toBe(2_050);
  });

  it("never waits longer than the maximum, and never less than the delay", () => {
    const clock = new Clock();
    const timers = { ...DEFAULT_TIMERS, spfDelayMs: 20, spfHoldMs: 100, spfMaxHoldMs: 250 };
    const ospf = newOspf(clock, configOf("1.1.1.1", [], { timers }));
    const waits: number[] = [];
    for (let now = 1_000, index = 0; index < 6; index++) {
      const dueMs = changeAt(ospf, clock, now);
      waits.push(dueMs - now);
      run(ospf, dueMs);
      now = dueMs;
    }
    expect(waits).toEqual([20, 100, 200, 250, 250, 250]);
  });
});
