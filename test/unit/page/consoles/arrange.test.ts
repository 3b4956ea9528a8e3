/** Tabs of consoles, and consoles side by side. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type Arrangement,
  close,
  NO_CONSOLES,
  show,
  toggleBeside,
} from "../../../../page/src/consoles/arrange.ts";

const opened = (...ids: readonly string[]): Arrangement => ids.reduce(show, NO_CONSOLES);

describe("consoles", () => {
  test("are opened one in the place of the other", () => {
    expect(opened("a", "b")).toEqual({ open: ["a", "b"], shown: ["b"], active: "b" });
    expect(opened("a", "b", "a")).toEqual({ open: ["a", "b"], shown: ["a"], active: "a" });
  });

  test("stand beside each other, and a tab replaces the active one", () => {
    const two = toggleBeside(opened("a", "b", "c"), "a");
    expect(two).toEqual({ open: ["a", "b", "c"], shown: ["c", "a"], active: "a" });
    expect(show(two, "b")).toMatchObject({ shown: ["c", "b"], active: "b" });
    expect(show(two, "c")).toMatchObject({ shown: ["c", "a"], active: "c" });
    expect(toggleBeside(two, "a")).toMatchObject({ shown: ["c"], active: "c" });
    expect(toggleBeside(two, "c")).toMatchObject({ shown: ["a"], active: "a" });
  });

  test("are at most four in a row; another one takes the place of the active one", () => {
    const four = ["a", "b", "c", "d"].reduce(toggleBeside, opened("a", "b", "c", "d", "e"));
    expect(four).toMatchObject({ shown: ["e", "a", "b", "d"], active: "d" });
  });

  test("that are alone stay, and unknown ones are not opened", () => {
    expect(toggleBeside(opened("a"), "a")).toEqual(opened("a"));
    expect(toggleBeside(opened("a"), "z")).toEqual(opened("a"));
  });

  test("are closed, and another open one is shown", () => {
    expect(close(opened("a", "b"), "b")).toEqual({ open: ["a"], shown: ["a"], active: "a" });
    expect(close(opened("a", "b"), "a")).toEqual({ open: ["b"], shown: ["b"], active: "b" });
    expect(close(opened("a"), "a")).toEqual(NO_CONSOLES);
  });

  test("always show a part of the open ones, with an active one among them", () => {
    const step = fc.tuple(fc.constantFrom(show, toggleBeside, close), fc.constantFrom(..."abcdef"));
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        const { open, shown, active } = steps.reduce((now, [act, id]) => act(now, id), NO_CONSOLES);
        expect(new Set(shown).size).toBe(shown.length);
        expect(shown.length).toBeLessThanOrEqual(4);
        expect(shown.every((id) => open.includes(id))).toBe(true);
        expect(open.length === 0 ? active === null : shown.includes(active!)).toBe(true);
      }),
      { seed: 1 },
    );
  });
});
