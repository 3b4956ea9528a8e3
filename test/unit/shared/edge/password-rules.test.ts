import { describe, expect, test } from "vitest";
import { passwordProblem } from "../../../../functions/shared/edge/password-rules.ts";

describe("a chosen password", () => {
  test.each([
    ["eleven char", "has to have at least 12 characters"],
    ["x".repeat(513), "may have at most 512 bytes"],
    ["ü".repeat(257), "may have at most 512 bytes"],
    ["twelve chars\n", "may not have control characters"],
    ["twelve\0chars!", "may not have control characters"],
  ])("%j is refused: it %s", (password, problem) => expect(passwordProblem(password)).toBe(problem));

  test.each(["twelve chars", "密码密码密码密码密码密码", "x".repeat(512), "with:colon:in:it"])(
    "%j is taken",
    (password) => expect(passwordProblem(password)).toBeNull(),
  );
});
