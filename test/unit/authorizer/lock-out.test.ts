import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  FORGOTTEN_SECONDS,
  isLockedOut,
  lockOutSeconds,
  SOURCE_LOCK_OUT,
  USER_LOCK_OUT,
} from "../../../functions/authorizer/lock-out.ts";

describe.each([
  ["a user name", USER_LOCK_OUT],
  ["an address", SOURCE_LOCK_OUT],
])("the lock-out of %s", (_whose, rule) => {
  test("begins after the failures that are free", () => {
    expect(lockOutSeconds(0, rule)).toBe(0);
    expect(lockOutSeconds(rule.free, rule)).toBe(0);
    expect(lockOutSeconds(rule.free + 1, rule)).toBe(rule.firstSeconds);
  });

  test("doubles until it is as long as it gets", () => {
    expect([1, 2, 3, 4, 5, 6, 1000].map((more) => lockOutSeconds(rule.free + more, rule))).toEqual([
      30, 60, 120, 240, 480, 900, 900,
    ]);
  });

  test("never shrinks with another failure, and is never for ever", () => {
    fc.assert(
      fc.property(fc.nat(10_000), (failures) => {
        const seconds = lockOutSeconds(failures, rule);
        expect(seconds).toBeLessThanOrEqual(lockOutSeconds(failures + 1, rule));
        expect(seconds).toBeLessThanOrEqual(rule.longestSeconds);
      }),
    );
  });

  test("counts from the last failure, to the millisecond", () => {
    const failures = { failures: rule.free + 2, last_ms: 1_000_000 };
    expect(isLockedOut(failures, rule, 1_000_000)).toBe(true);
    expect(isLockedOut(failures, rule, 1_059_999)).toBe(true);
    expect(isLockedOut(failures, rule, 1_060_000)).toBe(false);
  });

  test("is over before the failures are forgotten", () => {
    expect(rule.longestSeconds).toBeLessThan(FORGOTTEN_SECONDS);
  });
});

test("an address is locked out later than a name: many people can have one", () => {
  expect(SOURCE_LOCK_OUT.free).toBeGreaterThan(USER_LOCK_OUT.free);
});
