import { expect, test } from "vitest";
import { OwnChanges } from "../../../../page/src/lab/own-changes.ts";

test("events of earlier changes are late until the event of the own change", () => {
  const own = new OwnChanges();
  expect(own.isLate("a", { x: 1 }, 0)).toBe(false);
  own.note("a", { x: 3, svg: "<svg/>" }, 0);
  expect(own.isLate("a", { x: 2, svg: "<svg/>" }, 10)).toBe(true);
  expect(own.isLate("b", { x: 2 }, 10)).toBe(false);
  // An event may have fewer fields.
  expect(own.isLate("a", { x: 3 }, 20)).toBe(false);
  expect(own.isLate("a", { x: 4 }, 30)).toBe(false);
});

test("an own change whose event does not arrive hides others only for seconds", () => {
  const own = new OwnChanges();
  own.note("a", { x: 3 }, 0);
  expect(own.isLate("a", { x: 4 }, 3001)).toBe(false);
});
