/** BBR version 1 (draft-cardwell-iccrg-bbr-congestion-control-00), and the estimation of the rate that it rests on. */

import { describe, expect, it } from "vitest";
import {
  depart,
  makeDelivery,
  noteDelivered,
  takeSample,
} from "../../../../../packages/engine/net/tcp/delivery-rate.ts";
import { mayLeave, noteLeft, type Pacing } from "../../../../../packages/engine/net/tcp/pacing.ts";
import { type Crossing, Pair } from "../../../../helpers/engine/tcp-bench.ts";

const RATE_BPS = 20_000_000;
/** A segment of 1,448 bytes takes 0.6 ms, and the round trip without a queue is 20 ms. */
const SERIAL_US = ((1_448 + 54) * 8e6) / RATE_BPS;

interface Options {
  readonly congestion?: "bbr" | "cubic";
  readonly bytes?: number;
  readonly queueSegments?: number;
  readonly loses?: (crossing: Crossing) => boolean;
}

/** A transfer that has run for `untilUs`, or to its end. */
function transfer({ congestion = "bbr", bytes = 10_000_000, ...rest }: Options, untilUs?: number) {
  const settings = { congestion, receiveBufferBytes: 16_000_000, timestamps: true };
  const pair = new Pair({ settings, mssBytes: 1_460, rateBps: RATE_BPS, queueSegments: 1_000, ...rest });
  pair.a.send({ fill: bytes });
  pair.run(untilUs);
  return pair;
}

const secondsOf = (pair: Pair): number => (pair.crossings.at(-1)?.atUs ?? 0) / 1e6;

/** Loses data at random, the same ones in each run. */
function losing(chance: number): (crossing: Crossing) => boolean {
  let state = 12_345;
  return ({ from, number }) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return from === "a" && number > 2 && state / 2 ** 32 < chance;
  };
}

describe("the rate of delivery (draft-cheng-iccrg-delivery-rate-estimation-00)", () => {
  it("is what was delivered since the segment was sent, by the longer of the intervals of sending and arriving", () => {
    const delivery = makeDelivery(0);
    const departures = [0, 100, 200, 300].map((us, serial) => ({
      us,
      serial,
      departure: depart(delivery, us, serial === 0),
    }));
    for (const { us, serial, departure } of departures.slice(0, 3))
      noteDelivered(delivery, { sentUs: us, serial, departure }, 1_000, 10_000 + 500 * serial);
    expect(takeSample(delivery, 1_000)).toEqual({ rate: 3_000 / 11_000, isAppLimited: false, priorBytes: 0 });
    const later = depart(delivery, 11_000, false);
    noteDelivered(delivery, { sentUs: 11_000, serial: 9, departure: later }, 1_000, 22_000);
    expect(takeSample(delivery, 1_000)?.rate).toBe(1_000 / 11_000);
  });

  it("has no value for an interval shorter than a round trip, and says when the application had no more", () => {
    const delivery = makeDelivery(0);
    delivery.limitedUntil = 1_000;
    noteDelivered(delivery, { sentUs: 0, serial: 0, departure: depart(delivery, 0, true) }, 1_000, 500);
    expect(takeSample(delivery, 1_000)).toEqual({ isAppLimited: true, priorBytes: 0 });
    expect(takeSample(delivery, 1_000)).toBeUndefined();
  });
});

describe("pacing", () => {
  it("lets a quantum leave at once, and then one segment after the other", () => {
    const paced = {
      pacing: { rate: 1, freeUs: 0 } as Pacing,
      mssBytes: 1_000,
      deadlines: {} as { paceUs?: number | undefined },
    };
    let left = 0;
    for (let nowUs = 0; nowUs < 100_000; nowUs += 100)
      while (mayLeave(paced, nowUs)) {
        noteLeft(paced, 1_000, nowUs);
        left += 1_000;
      }
    // 1 byte a microsecond, and a quantum of two segments ahead.
    expect(left).toBeGreaterThanOrEqual(100_000);
    expect(left).toBeLessThanOrEqual(103_000);
    expect(paced.deadlines.paceUs).toBe(paced.pacing.freeUs);
  });
});

describe("BBR", () => {
  it("fills the link, drains its queue, and then keeps it short", () => {
    const bbr = transfer({}, 3_000_000);
    expect(bbr.a.tcb.congestion.bbr).toMatchObject({ phase: "probe bandwidth", isFull: true });
    expect(bbr.a.tcb.roundTrip.smoothedUs).toBeLessThan(35_000);
    const cubic = transfer({ congestion: "cubic" }, 3_000_000);
    expect(cubic.a.tcb.roundTrip.smoothedUs).toBeGreaterThan(100_000);
    expect(secondsOf(transfer({}))).toBeLessThan((1.1 * 10_000_000 * 8) / RATE_BPS);
  });

  it("estimates rate and round trip of the link", () => {
    const { bbr } = transfer({}, 3_000_000).a.tcb.congestion;
    const rate = Math.max(...bbr!.rates.map((each) => each.rate));
    expect(rate).toBeGreaterThan((0.95 * 1_448) / SERIAL_US);
    expect(rate).toBeLessThan((1.05 * 1_448) / SERIAL_US);
    expect(bbr!.roundTrip!.us).toBeGreaterThanOrEqual(20_000);
    expect(bbr!.roundTrip!.us).toBeLessThan(22_000);
  });

  it("keeps nine tenths of the rate with 3 % of random loss, where CUBIC keeps less than half", () => {
    const [bbr, cubic] = (["bbr", "cubic"] as const).map((congestion) =>
      secondsOf(transfer({ congestion, loses: losing(0.03) })),
    ) as [number, number];
    const least = (10_000_000 * 8) / RATE_BPS;
    expect(bbr).toBeLessThan(least / 0.9);
    expect(cubic).toBeGreaterThan(least / 0.5);
  });

  it("has a window of four segments for 200 ms every ten seconds, to see the round trip without a queue", () => {
    const small: number[] = [];
    const pair = transfer({ bytes: 40_000_000 }, 9_000_000);
    for (let atUs = 9_000_000; atUs < 12_500_000; atUs += 10_000) {
      pair.run(atUs);
      if (pair.a.tcb.congestion.bbr?.phase === "probe round trip")
        small.push(pair.a.tcb.congestion.windowBytes);
    }
    expect(small.length).toBeGreaterThanOrEqual(20);
    expect(small.length).toBeLessThan(40);
    expect(small.at(-1)).toBe(4 * 1_448);
    expect(pair.a.tcb.congestion.bbr?.phase).toBe("probe bandwidth");
    expect(pair.a.tcb.congestion.windowBytes).toBeGreaterThan(30 * 1_448);
  });

  it("repairs the losses of a short queue without a timeout", () => {
    const pair = transfer({ queueSegments: 20 });
    expect(pair.received.b).toHaveLength(10_000_000);
    expect(pair.a.tcb.counters.timeouts).toBe(0);
    expect(secondsOf(pair)).toBeLessThan((1.15 * 10_000_000 * 8) / RATE_BPS);
  });

  it("has plain JSON as its state", () => {
    const { tcb } = transfer({}, 1_000_000).a;
    expect(JSON.parse(JSON.stringify(tcb))).toEqual(JSON.parse(JSON.stringify(structuredClone(tcb))));
    expect(tcb.pacing!.rate).toBeGreaterThan(0);
  });
});
