import { describe, expect, test } from "vitest";
import {
  guessesPerDay,
  isToBeRenewed,
  KNOWN_LOCK_OUT,
  KNOWN_SOURCE_SECONDS,
  NAME_LOCK_OUT,
  NETWORK_LOCK_OUT,
  SOURCE_LOCK_OUT,
} from "../../../functions/authorizer/lock-out.ts";

test.each([
  ["a name in a network", NETWORK_LOCK_OUT, 485],
  ["a name", NAME_LOCK_OUT, 8_700],
  ["an address", SOURCE_LOCK_OUT, 1_940],
  ["a name at an address of its user", KNOWN_LOCK_OUT, 1_940],
])("%s allows as many guesses a day as docs/security.md states", (_whose, rule, guesses) => {
  expect(guessesPerDay(rule)).toBe(guesses);
});

test("one network cannot use up a name's guesses", () => {
  const networks = NETWORK_LOCK_OUT.secondsEach / NAME_LOCK_OUT.secondsEach;
  expect(networks).toBe(18);
  expect(NETWORK_LOCK_OUT.guesses).toBeLessThan(NAME_LOCK_OUT.guesses / 10);
});

test("an address allows more guesses than a name in a network, because many users can share it", () => {
  expect(SOURCE_LOCK_OUT.guesses).toBeGreaterThan(NETWORK_LOCK_OUT.guesses);
});

describe("an address that a user has signed in from", () => {
  const nowMs = 1_800_000_000_000;
  const untilS = nowMs / 1000 + KNOWN_SOURCE_SECONDS;

  test("is renewed when less than 29 days are left, to the second", () => {
    expect(isToBeRenewed(untilS, nowMs)).toBe(false);
    expect(isToBeRenewed(untilS, nowMs + 86_400_000)).toBe(false);
    expect(isToBeRenewed(untilS, nowMs + 86_401_000)).toBe(true);
  });

  test("is written when it is unknown", () => expect(isToBeRenewed(0, nowMs)).toBe(true));
});
