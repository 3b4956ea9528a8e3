/** old-states.json has connections as an earlier version saved them in the middle of a transfer of 30,000 bytes. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type OldTcb, readTcb } from "../../../../../packages/engine/net/tcp/old-state.ts";
import { positionOf } from "../../../../../packages/engine/net/tcp/position.ts";
import { addRange, type Range } from "../../../../../packages/engine/net/tcp/ranges.ts";
import { Scripted } from "../../../../helpers/engine/tcp-bench.ts";

const STATES = JSON.parse(readFileSync(new URL("old-states.json", import.meta.url), "utf8")) as Record<
  "fast" | "timeout" | "newreno" | "open",
  OldTcb
>;
const SEGMENT = 1_000;

/** Start and fate of each segment in flight, in segments from the beginning of the stream. */
const fatesOf = (state: OldTcb): string[] =>
  readTcb(state).flight.segments.map(
    ({ start, end, fate, isResent }) =>
      `${(start - state.initial - 1) / SEGMENT}:${(end - state.initial - 1) / SEGMENT} ${fate}${isResent ? " again" : ""}`,
  );

describe("a connection of an earlier version", () => {
  it("in a fast recovery keeps what has arrived, what was sent again and what is lost", () => {
    expect(fatesOf(STATES.fast)).toEqual([
      "0:1 flying again",
      "1:2 arrived",
      "2:3 lost",
      "3:6 arrived",
      ...[6, 7, 8, 9, 10, 11].map((n) => `${n}:${n + 1} flying`),
    ]);
  });

  it("after a timeout has lost what it has not sent again", () => {
    expect(fatesOf(STATES.timeout).filter((each) => !each.endsWith("lost"))).toEqual([
      "0:1 flying again",
      "2:3 arrived",
    ]);
  });

  it("is read once: a state of now stays", () => {
    const read = readTcb(STATES.fast);
    expect(readTcb(read)).toBe(read);
  });

  it.each(["fast", "timeout", "newreno", "open"] as const)(
    "%s: goes on, sends what is missing and all the rest",
    (name) => {
      const it = Scripted.resume(readTcb(STATES[name]));
      const { tcb } = it.connection;
      const arrived: Range[] = [[tcb.initial, tcb.unacknowledged]];
      for (const { start, end, fate } of tcb.flight.segments)
        if (fate !== "lost") addRange(arrived, start, end);
      for (let round = 30; round < 100; round++) {
        it.clock.run(round * 20_000);
        const sent = it.sent.splice(0).map(({ segment: { sequence, data } }) => {
          const start = positionOf(sequence, tcb.unacknowledged);
          return [start, start + data.length] as const;
        });
        for (const [start, end] of sent) addRange(arrived, start, end);
        const [[, acknowledged] = [0, 0], ...blocks] = arrived.map(
          ([start, end]) => [start - tcb.initial, end - tcb.initial] as const,
        );
        it.report(acknowledged, ...blocks.slice(0, 3));
      }
      expect(tcb.unacknowledged - tcb.initial - 1).toBe(30_000);
      expect([tcb.flight.flyingBytes, tcb.flight.segments.length, tcb.recovery]).toEqual([0, 0, undefined]);
    },
  );
});
