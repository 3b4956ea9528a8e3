/** When a message may be typed on a console of a compute, so that none of an earlier time follows. */
import { describe, expect, test } from "vitest";
import { countDue, patienceMs } from "../../../../functions/sockets/console/order.ts";

const at = (...times: number[]) => times.map((at_ms) => ({ id: String(at_ms), at_ms, text: "x" }));
const late = (late_ms: number) => ({ id: "l", at_ms: 0, late_ms, text: "x" });

describe("messages in the order of their arrival", () => {
  test.each([
    ["none", [], 100, 0],
    ["all that are due", [10, 20], 20, 2],
    ["those before one that is not due", [10, 20, 30], 20, 2],
    ["an early one that has come late, with those before it", [20, 10], 20, 2],
    ["none before an early one behind one that is not due", [20, 40, 10], 30, 0],
    ["those before such a group", [5, 20, 40, 10], 30, 1],
    ["the group when it is due", [5, 20, 40, 10, 50], 40, 4],
    ["messages of the same time", [10, 10], 10, 2],
  ])("are typed: %s", (_title, times, dueMs, count) => {
    expect(countDue(at(...times), dueMs)).toBe(count);
  });
});

describe("a message waits", () => {
  test.each([
    ["briefly while functions are loaded", at(1, 2), false, 10, 100],
    ["briefly if it is the first of a console", at(1), true, 10, 100],
    [
      "longer if it follows the first of a console, whose functions may be loading",
      at(1, 2),
      true,
      10,
      1_000,
    ],
    ["briefly when these have been loaded", at(1, 2), true, 4_000, 100],
    ["half as long again as the latest one was late", [late(400), late(10)], false, 10, 600],
    ["briefly when the late one is long ago", [late(400), late(10)], false, 3_000, 100],
    ["two seconds at most", [late(9_000)], false, 10, 2_000],
  ])("%s", (_title, seen, isNew, nowMs, expected) => {
    expect(patienceMs(seen, isNew, nowMs)).toBe(expected);
  });
});
