import { describe, expect, test } from "vitest";
import { allocateName } from "../../../functions/nodes/name.ts";

const allocate = (wish: string, ...taken: string[]): string => allocateName(wish, new Set(taken));

describe("the name of a node", () => {
  test.each([
    ["PC1", [], "PC1"],
    ["My PC 1", [], "MyPC1"],
    ["PC1", ["PC1"], "PC2"],
    ["PC1", ["PC1", "PC2", "PC4"], "PC3"],
    ["PC10", ["PC10"], "PC1"],
    ["MyPC", ["MyPC"], "MyPC1"],
    ["N{0}", [], "N1"],
    ["N{id}", ["N1", "N2"], "N3"],
    ["X{foo}", [], "X{foo}"],
    ["{0}{0}", ["11"], "22"],
  ])("wished %s with %j taken is %s", (wish, taken, expected) => {
    expect(allocate(wish, ...taken)).toBe(expected);
  });

  test("cannot be spaces alone", () => {
    expect(() => allocate("  ")).toThrow("nothing but spaces");
  });
});
