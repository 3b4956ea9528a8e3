import { describe, expect, test } from "vitest";
import { withCheck } from "../../../../page/src/tests/add-check.ts";

const REACH = { expect: { reach: "PC1 -> PC2" } };

describe("a check that is added to the tests", () => {
  test.each([
    ["an empty text", "", "expect:\n  - reach: PC1 -> PC2\n"],
    ["a list", "expect:\n  - no loop:\n", "expect:\n  - no loop:\n  - reach: PC1 -> PC2\n"],
    ["a text without expectations", "seed: 1\n", "seed: 1\nexpect:\n  - reach: PC1 -> PC2\n"],
    ["an empty key", "expect:\n", "expect:\n  - reach: PC1 -> PC2\n"],
  ])("is the last one of %s", (_, text, expected) => {
    expect(withCheck(text, REACH)).toBe(expected);
  });

  test("leaves comments where they are", () => {
    const text = "# why\nexpect:\n  # all\n  - reach: all # of them\n";
    expect(withCheck(text, REACH)).toBe(`${text}  - reach: PC1 -> PC2\n`);
  });

  test("is not added twice", () => {
    const once = withCheck("", REACH);
    expect(withCheck(once, REACH)).toBe(once);
    const asTyped = "expect: [ {reach: PC1 -> PC2} ] # mine\n";
    expect(withCheck(asTyped, REACH)).toBe(asTyped);
  });

  test("has the event that it is about", () => {
    const check = {
      run: [{ at: "10s", down: "PC1-SW1", name: "PC1-SW1 fails" }],
      expect: { "not reach": "PC1 -> PC2", after: "PC1-SW1 fails" },
    };
    expect(withCheck("", check)).toBe(
      "run:\n  - {at: 10s, down: PC1-SW1, name: PC1-SW1 fails}\nexpect:\n  - {not reach: PC1 -> PC2, after: PC1-SW1 fails}\n",
    );
  });

  test.each([
    ["is no YAML", "expect: [", /cannot be read/],
    ["has no list", "expect: 5\n", /no list as expect/],
  ])("is refused if the text %s", (_, text, reason) => {
    expect(() => withCheck(text, REACH)).toThrow(reason);
  });
});
