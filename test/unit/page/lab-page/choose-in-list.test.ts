import { describe, expect, test } from "vitest";
import { choose } from "../../../../page/src/lab-page/choose-in-list.ts";

const ORDER = ["a", "b", "c", "d"];
const click = (before: string, id: string, held: "" | "ctrl" | "shift" | "both", last?: string) => {
  const keys = { ctrlKey: held === "ctrl" || held === "both", metaKey: false };
  const chosen = choose(
    new Set(before),
    id,
    { ...keys, shiftKey: held === "shift" || held === "both" },
    last,
    ORDER,
  );
  return [...chosen].toSorted().join("");
};

describe("a click into a list", () => {
  test.each([
    ["selects one part", click("ab", "c", ""), "c"],
    ["adds a part with Ctrl", click("a", "c", "ctrl"), "ac"],
    ["removes a part with Ctrl", click("ac", "c", "ctrl"), "a"],
    ["selects all between with Shift", click("b", "d", "shift", "b"), "bcd"],
    ["selects upwards with Shift", click("c", "a", "shift", "c"), "abc"],
    ["adds all between with Ctrl and Shift", click("a", "d", "both", "c"), "acd"],
    ["selects one part with Shift if there was none before", click("", "b", "shift"), "b"],
    ["selects one part with Shift if the last one is gone", click("", "b", "shift", "x"), "b"],
  ])("%s", (_, chosen, expected) => {
    expect(chosen).toBe(expected);
  });
});
