import { expect, test, vi } from "vitest";
import { OwnChanges } from "../../../../page/src/lab/own-changes.ts";

test("events of earlier changes are late until the event of the own change", () => {
  const own = new OwnChanges();
  const show = vi.fn();
  expect(own.isLate("a", { x: 1 }, 0, show)).toBe(false);
  own.note("a", { x: 3, svg: "<svg/>" }, 0);
  expect(own.isLate("a", { x: 2, svg: "<svg/>" }, 10, show)).toBe(true);
  expect(own.isLate("b", { x: 2 }, 10, show)).toBe(false);
  // An event may have fewer fields.
  expect(own.isLate("a", { x: 3 }, 20, show)).toBe(false);
  expect(own.isLate("a", { x: 4 }, 30, show)).toBe(false);
  expect(own.overdue(5_000)).toEqual([]);
});

test("an own change whose event came before its response hides the last event of others only for seconds", () => {
  const own = new OwnChanges();
  const [older, newer] = [vi.fn(), vi.fn()];
  own.note("a", { x: 3 }, 0);
  expect(own.isLate("a", { x: 4 }, 10, older)).toBe(true);
  expect(own.isLate("a", { x: 5 }, 20, newer)).toBe(true);
  expect(own.overdue(2_999)).toEqual([]);
  expect(own.overdue(3_000)).toEqual([newer]);
  expect(own.overdue(3_000)).toEqual([]);
  expect(own.isLate("a", { x: 6 }, 3_001, older)).toBe(false);
});

test("a later own change waits anew", () => {
  const own = new OwnChanges();
  own.note("a", { x: 3 }, 0);
  own.note("a", { x: 4 }, 2_000);
  expect(own.overdue(3_000)).toEqual([]);
  expect(own.isLate("a", { x: 3 }, 3_500, vi.fn())).toBe(true);
  expect(own.isLate("a", { x: 4 }, 3_600, vi.fn())).toBe(false);
});
