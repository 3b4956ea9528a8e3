import { describe, expect, it } from "vitest";
import { compilePattern } from "../../../../infra/local/filter-pattern.ts";
import { LocalProblem } from "../../../../infra/local/problem.ts";

describe("a filter pattern", () => {
  it.each([
    [{}, { any: 1 }, true],
    [{ a: ["x", "y"] }, { a: "y", b: 1 }, true],
    [{ a: ["x"] }, { a: "y" }, false],
    [{ a: ["x"] }, {}, false],
    [{ a: { b: [1] } }, { a: { b: 1 } }, true],
    [{ a: { b: [1] } }, { c: 1 }, false],
    [{ a: ["x"], b: ["y"] }, { a: "x", b: "z" }, false],
    [{ a: [{ prefix: "PROJECT#" }] }, { a: "PROJECT#1" }, true],
    [{ a: [{ prefix: "PROJECT#" }] }, { a: "EVENTS#1" }, false],
    [{ a: [{ prefix: "PROJECT#" }] }, {}, false],
  ])("%j of %j is %s", (pattern, event, expected) => {
    expect(compilePattern(pattern, "Changes")(event)).toBe(expected);
  });

  it.each([
    [{ a: [{ exists: false }] }, /only literals and prefixes run locally, not \{"exists":false\}/],
    [{ a: [{ prefix: 1 }] }, /only literals and prefixes/],
    [{ a: "x" }, /Changes\.FilterCriteria: "x" must be an object or a list/],
  ])("with a comparison that does not run locally is rejected: %j", (pattern, message) => {
    expect(() => compilePattern(pattern, "Changes.FilterCriteria")).toThrow(LocalProblem);
    expect(() => compilePattern(pattern, "Changes.FilterCriteria")).toThrow(message);
  });
});
