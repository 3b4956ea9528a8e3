/** The timers of OSPF, as data. */

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Timers } from "../../../../../packages/engine/routing/ospf/timers.ts";

const allDue = (timers: Timers, nowUs: number): string[] => {
  const names: string[] = [];
  for (let due = timers.take(nowUs); due !== undefined; due = timers.take(nowUs))
    names.push(`${due.name} ${due.slot}`);
  return names;
};

describe("timers", () => {
  it("fire in the order of their times, and those of one time in the order in which they were set", () => {
    const timers = new Timers();
    timers.set("flood", 2, 20);
    timers.set("hello", 1, 10);
    timers.set("hello", 3, 20);
    expect(timers.nextUs).toBe(10);
    expect(allDue(timers, 19)).toEqual(["hello 1"]);
    expect(allDue(timers, 20)).toEqual(["flood 2", "hello 3"]);
    expect(timers.nextUs).toBeUndefined();
  });

  it("are moved, cleared and begun once", () => {
    const timers = new Timers();
    timers.set("inactivity", 1, 40);
    timers.set("inactivity", 1, 50);
    timers.set("wait", 1, 40);
    timers.set("wait", 1, 30);
    timers.begin("flood", 1, 35);
    timers.begin("flood", 1, 5);
    timers.set("spf", 0, 1);
    timers.clear("spf", 0);
    expect(allDue(timers, 45)).toEqual(["wait 1", "flood 1"]);
    expect(timers.dueUs("inactivity", 1)).toBe(50);
  });

  it("keep what is left of them while a lab sleeps", () => {
    const timers = new Timers();
    timers.set("hello", 1, 100);
    timers.set("spf", 0, 70);
    timers.set("flood", 1, 70);
    const saved = JSON.parse(JSON.stringify(timers.save(60)));
    expect(saved).toEqual([
      ["spf", 0, 10],
      ["flood", 1, 10],
      ["hello", 1, 40],
    ]);
    expect(allDue(new Timers(saved, 1_000), 1_040)).toEqual(["spf 0", "flood 1", "hello 1"]);
  });

  it("let a run end while hellos go on, and not while routes are about to change", () => {
    const timers = new Timers();
    timers.set("hello", 1, 10);
    timers.set("inactivity", 2, 40);
    expect(timers.keepsRunning).toBe(false);
    timers.set("spf", 0, 20);
    expect(timers.keepsRunning).toBe(true);
  });

  it("fire as a sorted list would, whatever is set, moved and cleared", () => {
    const change = fc.tuple(fc.integer({ min: 1, max: 6 }), fc.option(fc.integer({ min: 0, max: 30 })));
    fc.assert(
      fc.property(fc.array(change, { maxLength: 40 }), (changes) => {
        const timers = new Timers();
        const model = new Map<number, { dueUs: number; order: number }>();
        for (const [order, [slot, dueUs]] of changes.entries()) {
          if (dueUs === null) {
            timers.clear("hello", slot);
            model.delete(slot);
          } else {
            timers.set("hello", slot, dueUs);
            model.set(slot, { dueUs, order });
          }
        }
        const expected = [...model].sort(([, a], [, b]) => a.dueUs - b.dueUs || a.order - b.order);
        expect(allDue(timers, 30)).toEqual(expected.map(([slot]) => `hello ${slot}`));
      }),
    );
  });
});
