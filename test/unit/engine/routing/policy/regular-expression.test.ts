/** The expected verdicts are those of `regcomp(3)` with REG_EXTENDED, which FRR uses, with `_` in its place. */
import { describe, expect, it } from "vitest";
import { parseExpression } from "../../../../../packages/engine/routing/policy/regular-expression.ts";

const isIn = (expression: string, text: string): boolean | string => {
  const parsed = parseExpression(expression);
  return typeof parsed === "string" ? parsed : parsed.isIn(text);
};

describe("an expression", () => {
  it.each([
    ["65001", "650 65001 7", true],
    ["65001", "650012", true],
    ["_65001_", "650012", false],
    ["_65001_", "65001", true],
    ["_65001_", "1 {65001,7}", true],
    ["^65001_", "65001 65002", true],
    ["^65001_", "7 65001", false],
    ["_65002$", "65001 65002", true],
    ["_65002$", "65002 65001", false],
    ["^$", "", true],
    ["^$", "1", false],
    [".*", "", true],
    ["^(65001|65002)( 7)*$", "65002 7 7 7", true],
    ["^(65001|65002)( 7)*$", "65002 7 8", false],
    ["^[0-9]+$", "123", true],
    ["^[^0-9]+$", "12", false],
    ["^[]a]+$", "]a]", true],
    ["^[[:digit:]-]+$", "1-2", true],
    ["^1{2}$", "11", true],
    ["^1{2}$", "111", false],
    ["^1{2,3}$", "111", true],
    ["^1{2,3}$", "1111", false],
    ["^(12){2,}3?$", "1212123", true],
    ["a+b?c*", "xaay", true],
    ["\\.", "1.2", true],
    ["\\.", "12", false],
    ["()", "x", true],
    ["a|", "", true],
    ["(a*)*b", "aab", true],
  ])("%s in `%s`: %s", (expression, text, verdict) => expect(isIn(expression, text)).toBe(verdict));

  it.each([
    ["(", "the expression has a ( without a )"],
    [")", "the expression has a ) without a ("],
    ["[1", "the expression has a [ without a ]"],
    ["[2-1]", "a range of characters ends before it begins"],
    ["[[:frob:]]", "there is no class of characters [:frob:]"],
    ["*1", "nothing stands before *"],
    ["1{", "a { begins a count, like {2} or {1,3}"],
    ["1{3,2}", "the count {3,2} is not 0 to 255, the lower number first"],
    ["1{256}", "the count {256} is not 0 to 255, the lower number first"],
    ["1\\", "the expression ends with \\"],
    ["é", "the expression has characters beyond ASCII"],
    ["((1{255}){255}){255}", "the expression has more than 4096 steps, its counts multiplied"],
    ["((){255}){255}", "the expression has more than 4096 steps, its counts multiplied"],
    ["(".repeat(300), "the expression has more than 255 ( inside each other"],
  ])("%s is wrong: %s", (expression, wrong) => expect(isIn(expression, "")).toBe(wrong));

  it("takes no time that doubles with each character", () => {
    expect(isIn(`^(${"1?".repeat(60)})*$`, `${"1".repeat(400)}2`)).toBe(false);
    expect(isIn("^(1+)+$", `${"1".repeat(2_000)}2`)).toBe(false);
  });
});
