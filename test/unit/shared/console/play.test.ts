import { expect, test } from "vitest";
import { play } from "../../../../functions/shared/console/play.ts";
import { readPace } from "../../../../functions/sockets/console/pace.ts";

/** A clock that only pauses advance. */
class Clock {
  nowMs = 1_000;
  readonly shown: [atMs: number, text: string][] = [];
  readonly #leftMs: number;
  readonly #interruptedAtMs: number;

  constructor(leftMs: number, interruptedAtMs = Number.POSITIVE_INFINITY) {
    this.#leftMs = leftMs;
    this.#interruptedAtMs = interruptedAtMs;
  }

  get player(): Parameters<typeof play>[1] {
    return {
      now: () => this.nowMs,
      pause: async (milliseconds) => {
        this.nowMs += milliseconds;
      },
      print: async (text) => this.shown.push([this.nowMs - 1_000, text]),
      isInterrupted: async () => this.nowMs - 1_000 >= this.#interruptedAtMs,
      remainingTimeMs: () => this.#leftMs - (this.nowMs - 1_000),
    };
  }
}

const PING = [
  { atNs: 0, text: "ping 1\r\n" },
  { atNs: 1e6, text: "one\r\n" },
  { atNs: 1_001e6, text: "two\r\n" },
  { atNs: 2_001e6, text: "three\r\n" },
  { atNs: 2_001e6, text: "PC1> " },
];

test("prints each text at its lab time, and texts of one moment together", async () => {
  const clock = new Clock(20_000);
  expect(await play(PING, clock.player)).toBe(true);
  expect(clock.shown).toEqual([
    [0, "ping 1\r\none\r\n"],
    [1_001, "two\r\n"],
    [2_001, "three\r\nPC1> "],
  ]);
});

test("prints all at once when no time is left for pauses", async () => {
  const clock = new Clock(0);
  expect(await play(PING, clock.player)).toBe(true);
  expect(clock.shown).toEqual([[0, "ping 1\r\none\r\ntwo\r\nthree\r\nPC1> "]]);
});

test("prints at once what follows the time for pauses", async () => {
  const clock = new Clock(1_500);
  expect(await play(PING, clock.player)).toBe(true);
  expect(clock.shown).toEqual([
    [0, "ping 1\r\none\r\n"],
    [1_001, "two\r\n"],
    [1_500, "three\r\nPC1> "],
  ]);
});

test("Ctrl-C ends the printing within half a second", async () => {
  const clock = new Clock(20_000, 1_200);
  expect(await play(PING, clock.player)).toBe(false);
  expect(clock.shown.map(([, text]) => text)).toEqual(["ping 1\r\none\r\n", "two\r\n"]);
  expect(clock.nowMs - 1_000).toBeLessThanOrEqual(1_700);
});

test("the variable CONSOLE_PACE has two values", () => {
  expect([readPace(), readPace("real"), readPace("once")]).toEqual(["once", "real", "once"]);
  expect(() => readPace("fast")).toThrow("CONSOLE_PACE must be once or real, got fast");
});
