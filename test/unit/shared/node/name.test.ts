import { describe, expect, test } from "vitest";
import { numberIn, readWish } from "../../../../functions/shared/node/name.ts";

describe("a requested name", () => {
  test.each([
    ["PC1", "PC1", "PC{0}"],
    ["My PC 1", "MyPC1", "MyPC{0}"],
    ["MyPC", "MyPC", "MyPC{0}"],
    ["N{0}", undefined, "N{0}"],
    ["N{id}-{0}", undefined, "N{0}-{0}"],
    ["X{foo}", "X{foo}", "X{foo}{0}"],
    ["10", "10", "{0}"],
  ])("%s requests %s, and otherwise a name like %s", (wish, exact, template) => {
    expect(readWish(wish)).toEqual({ exact, template });
  });

  test("cannot be only spaces", () => {
    expect(() => readWish("  ")).toThrow("nothing but spaces");
  });
});

test.each([
  ["PC12", "PC{0}", 12],
  ["PC012", "PC{0}", undefined],
  ["PC12x", "PC{0}", undefined],
  ["R3-x", "R{0}-x", 3],
  ["1212", "{0}{0}", 12],
  ["1213", "{0}{0}", undefined],
  ["PC35", "PC{0}5", 3],
  ["PC", "PC{0}", undefined],
])("the number of %s in %s is %s", (name, template, number) => {
  expect(numberIn(name, template)).toBe(number);
});
