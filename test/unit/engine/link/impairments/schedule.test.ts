import { describe, expect, test } from "vitest";
import { ScheduleCursor } from "../../../../../packages/engine/link/impairments/schedule-cursor.ts";
import { compiled, sendThrough, stream } from "./harness.ts";

const S = 1_000_000_000;

const delaysMs = (schedule: object[], packets = 6, more: object = {}): number[] =>
  sendThrough({ delay: "1ms" }, stream(packets, S), {}, { schedule, ...more }).arrived.map(
    ({ number, atNs }) => (atNs - (number - 1) * S) / 1e6,
  );

describe("schedules", () => {
  test("steps change the settings at their time", () => {
    const schedule = [
      { at: "2s", set: { both: { delay: "5ms" } } },
      { at: "4s", set: { a_to_b: { delay: null } } },
    ];
    expect(delaysMs(schedule)).toEqual([1, 1, 5, 5, 0, 0]);
  });

  test("ramps pass evenly from the value before to the new one", () => {
    const schedule = [{ at: "1s", over: "4s", every: "1s", set: { both: { delay: "9ms" } } }];
    expect(delaysMs(schedule)).toEqual([1, 1, 3, 5, 7, 9]);
  });

  test("a repeated schedule begins each cycle with the initial settings", () => {
    const schedule = [{ at: "1s", set: { both: { delay: "5ms" } } }];
    expect(delaysMs(schedule, 6, { repeat: "2s" })).toEqual([1, 5, 1, 5, 1, 5]);
  });

  test("CSV rows set rate, delay and loss at their time", () => {
    const csv = "# a trace\ntime,rate,delay,loss\n1s,8mbit,2ms,\n2s,,,100%\n3s,,,0";
    const { arrived, lost } = sendThrough({}, stream(4, S), {}, { schedule: [{ csv }] });
    expect(arrived.map(({ atNs }) => atNs)).toEqual([0, S + 2_100_000, 3 * S + 2_100_000]);
    expect(lost).toEqual([{ number: 3, reason: "loss.random" }]);
  });

  test("a flap takes the carrier away and loses what is in the queue", () => {
    // 100 bytes take 1 s; packets 2 and 3 wait when the carrier goes.
    const sent = [{ atNs: 0 }, { atNs: 0 }, { atNs: 0 }, { atNs: S / 2 + 1 }, { atNs: 2 * S }];
    const { arrived, lost } = sendThrough(
      { rate: 800 },
      sent,
      {},
      { schedule: [{ at: "500ms", flap: { down: "1s" } }] },
    );
    expect(arrived.map(({ number, atNs }) => [number, atNs])).toEqual([
      [1, S],
      [5, 3 * S],
    ]);
    expect(lost.map(({ number, reason }) => [number, reason])).toEqual([
      [2, "carrier"],
      [3, "carrier"],
      [4, "carrier"],
    ]);
  });

  test("a rate that rises lets waiting packets leave earlier", () => {
    const schedule = [{ at: "1s", set: { both: { rate: "800kbit" } } }];
    const { arrived } = sendThrough({ rate: 400 }, stream(3, 0), {}, { schedule });
    // The packet that is being sent keeps its time.
    expect(arrived.map(({ atNs }) => atNs)).toEqual([2 * S, 2 * S + 1_000_000, 2 * S + 2_000_000]);
  });

  test("skips past cycles without making each change", () => {
    const { arrived } = sendThrough(
      { delay: "1ms" },
      [{ atNs: 0 }, { atNs: 8_000_000 * S + S }],
      {},
      { schedule: [{ at: "1s", set: { both: { delay: "5ms" } } }], repeat: "2s" },
    );
    expect(arrived[1]?.atNs).toBe(8_000_001 * S + 5_000_000);
  });

  test("a schedule that began before the run is where it would be", () => {
    const impairments = compiled(
      {},
      {
        schedule: [
          { at: "1s", set: { carrier: "down" } },
          { at: "3s", set: { carrier: "up" } },
        ],
      },
    );
    const cursor = new ScheduleCursor(impairments, -2 * S, 0);
    expect(cursor.settings.carrier).toBe("down");
    expect(cursor.nextNs).toBe(S);
  });
});
