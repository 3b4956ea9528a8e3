import { expect, test, vi } from "vitest";
import { isSame, OwnChanges } from "../../../../page/src/lab/own-changes.ts";

test("events of earlier changes are late until the event of the own change", () => {
  const own = new OwnChanges();
  const show = vi.fn();
  expect(own.newerThan("a", { x: 1 }, 0, show)).toBeUndefined();
  own.note("a", { x: 3, filters: { delay: [1, 2], bpf: [""] } }, 0);
  expect(own.newerThan("a", { x: 2, name: "n" }, 10, show)).toEqual({
    x: 3,
    filters: { delay: [1, 2], bpf: [""] },
  });
  expect(own.newerThan("b", { x: 2 }, 10, show)).toBeUndefined();
  // An event may have fewer fields, and others.
  expect(own.newerThan("a", { x: 3, filters: { bpf: [""], delay: [1, 2] }, y: 7 }, 20, show)).toBeUndefined();
  expect(own.newerThan("a", { x: 4 }, 30, show)).toBeUndefined();
  expect(own.overdue(5_000)).toEqual([]);
});

test("an own change whose event came before its response hides the last event of others only for seconds", () => {
  const own = new OwnChanges();
  const [older, newer] = [vi.fn(), vi.fn()];
  own.note("a", { x: 3 }, 0);
  expect(own.newerThan("a", { x: 4 }, 10, older)).toEqual({ x: 3 });
  expect(own.newerThan("a", { x: 5 }, 20, newer)).toEqual({ x: 3 });
  expect(own.overdue(2_999)).toEqual([]);
  expect(own.overdue(3_000)).toEqual([newer]);
  expect(own.overdue(3_000)).toEqual([]);
  expect(own.newerThan("a", { x: 6 }, 3_001, older)).toBeUndefined();
});

test("a later own change waits anew, with the fields of both", () => {
  const own = new OwnChanges();
  own.note("a", { x: 3 }, 0);
  own.note("a", { name: "n" }, 2_000);
  expect(own.overdue(3_000)).toEqual([]);
  expect(own.newerThan("a", { x: 3, name: "old" }, 3_500, vi.fn())).toEqual({ x: 3, name: "n" });
  expect(own.newerThan("a", { x: 3, name: "n" }, 3_600, vi.fn())).toBeUndefined();
});

test("values are the same as JSON, in any order of keys", () => {
  expect(isSame({ a: 1, b: [{ c: 2, d: 3 }] }, { b: [{ d: 3, c: 2 }], a: 1 })).toBe(true);
  expect(isSame([1, 2], [2, 1])).toBe(false);
  expect(isSame(undefined, null)).toBe(false);
});
