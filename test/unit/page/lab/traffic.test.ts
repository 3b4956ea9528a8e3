/** What links carry, in words. */
import { describe, expect, test } from "vitest";
import { directionWords, isIdle, lossWords, moved } from "../../../../page/src/lab/traffic.ts";

const carried = (sent: number, lost: number, delivered = sent - lost) => ({
  in: { packets: sent, bytes: 60 * sent },
  delivered: { packets: delivered, bytes: 60 * delivered },
  dropped: { packets: lost, bytes: 60 * lost },
});
const counters = (forth: [number, number], back: [number, number] = [0, 0]) => ({
  link_id: "l",
  a_to_b: carried(...forth),
  b_to_a: carried(...back),
});

describe("what a link carried last", () => {
  test("is the difference to what the page knew", () => {
    const known = { counters: counters([10, 2], [4, 0]), recent: undefined };
    expect(moved(known, counters([16, 5], [8, 0])).recent).toEqual({ packets: 10, lost: 3 });
    expect(moved(known, counters([16, 2], [8, 0])).recent).toEqual({ packets: 10, lost: 0 });
  });

  test("is everything of a link that had carried nothing, and unknown if the page knows nothing", () => {
    expect(moved(null, counters([3, 1])).recent).toEqual({ packets: 3, lost: 1 });
    expect(moved(undefined, counters([3, 1])).recent).toBeUndefined();
  });
});

test("a link is idle until one of its ends sends", () => {
  expect(isIdle(counters([0, 0]))).toBe(true);
  expect(isIdle(counters([0, 0], [1, 1]))).toBe(false);
});

test.each([
  [carried(6, 1), "16.7 %"],
  [carried(6, 0), "0 %"],
  [carried(0, 0), "0 %"],
  [carried(10_000, 1), "< 0.1 %"],
  [carried(10_000, 9_999), "> 99.9 %"],
  [carried(7, 7), "100 %"],
  [carried(4, 2, 6), "25 %"],
])("the loss of %j is %s", (direction, words) => {
  expect(lossWords(direction)).toBe(words);
});

test("a direction has its packets and losses, and no words if nothing was sent", () => {
  expect(directionWords("A", "B", carried(1200, 300))).toBe("A → B: 1,200 packets, 300 lost (25 %)");
  expect(directionWords("A", "B", carried(1, 0))).toBe("A → B: 1 packet, none lost");
  expect(directionWords("A", "B", carried(0, 0))).toBe("");
});
