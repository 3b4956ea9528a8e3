import { describe, expect, it } from "vitest";
import {
  type Congestion,
  grow,
  initialWindow,
  makeCongestion,
  reduceThreshold,
} from "../../../../../packages/engine/net/tcp/congestion.ts";
import { Pair } from "../../../../helpers/engine/tcp-bench.ts";

const MSS = 1_000;
const RTT_US = 100_000;

/** A congestion control after a loss at a window, in segments, and the end of its recovery. */
function afterLoss(algorithm: "newreno" | "cubic", windowSegments: number): Congestion {
  const congestion = makeCongestion(algorithm, MSS);
  congestion.windowBytes = windowSegments * MSS;
  reduceThreshold(congestion, windowSegments * MSS, MSS);
  congestion.windowBytes = congestion.thresholdBytes!;
  return congestion;
}

/** Acknowledges whole windows, one in each round trip. @returns the window at the end of each, in segments. */
function acknowledge(congestion: Congestion, roundTrips: number, startUs = 0): number[] {
  const windows: number[] = [];
  for (let trip = 0; trip < roundTrips; trip++) {
    const acks = Math.floor(congestion.windowBytes / MSS);
    for (let ack = 0; ack < acks; ack++) {
      const nowUs = startUs + trip * RTT_US + (ack * RTT_US) / acks;
      grow(congestion, MSS, { nowUs, roundTripUs: RTT_US, mssBytes: MSS });
    }
    windows.push(congestion.windowBytes / MSS);
  }
  return windows;
}

describe("the initial window (RFC 6928)", () => {
  it.each([
    [536, 5_360],
    [1_460, 14_600],
    [8_960, 17_920],
  ])("of segments of %i bytes is %i bytes", (mss, bytes) => expect(initialWindow(mss)).toBe(bytes));
});

describe("NewReno (RFC 5681)", () => {
  it("doubles the window each round trip in slow start", () => {
    expect(acknowledge(makeCongestion("newreno", MSS), 4)).toEqual([20, 40, 80, 160]);
  });

  it("grows by one segment each round trip after a loss, from half of the window", () => {
    expect(acknowledge(afterLoss("newreno", 40), 4)).toEqual([21, 22, 23, 24]);
  });

  it("has a threshold of two segments at least", () => {
    expect(afterLoss("newreno", 2).thresholdBytes).toBe(2 * MSS);
  });
});

describe("CUBIC (RFC 9438)", () => {
  it("follows W_cubic(t) = C (t - K)^3 + W_max from 0.7 of the window", () => {
    const wMax = 400;
    const congestion = afterLoss("cubic", wMax);
    expect(congestion.thresholdBytes).toBe(0.7 * wMax * MSS);
    const k = Math.cbrt((wMax * 0.3) / 0.4);
    for (const [trip, window] of acknowledge(congestion, 120).entries()) {
      const seconds = ((trip + 1) * RTT_US) / 1e6;
      const expected = 0.4 * (seconds - k) ** 3 + wMax;
      expect(Math.abs(window - expected) / expected, `at ${seconds} s`).toBeLessThan(0.02);
    }
  });

  it("is at its former window after K seconds, where it does not grow", () => {
    const windows = acknowledge(afterLoss("cubic", 400), 80);
    const k = Math.cbrt(120 / 0.4);
    const at = Math.round((k * 1e6) / RTT_US);
    expect(windows[at]! / 400).toBeCloseTo(1, 2);
    expect(windows[at + 1]! - windows[at - 1]!).toBeLessThan(0.5);
  });

  it("grows no slower than NewReno with the same reduction on a short path (section 4.3)", () => {
    const windows = acknowledge(afterLoss("cubic", 20), 10);
    const alpha = (3 * 0.3) / 1.7;
    expect(windows[9]! - windows[0]!).toBeGreaterThan(9 * alpha * 0.9);
  });

  it("aims below the last maximum if the window shrinks (fast convergence, section 4.7)", () => {
    const congestion = afterLoss("cubic", 100);
    reduceThreshold(congestion, 80 * MSS, MSS);
    congestion.windowBytes = 80 * MSS;
    expect(congestion.cubic!.maxSegments).toBeLessThan(80);
  });
});

describe("the use of a link", () => {
  it.each(["newreno", "cubic"] as const)("of 10 Mb/s by %s is at least 95 %%", (congestion) => {
    const pair = new Pair({
      settings: { congestion, receiveBufferBytes: 1_000_000 },
      mssBytes: 1_460,
      rateBps: 10_000_000,
      queueSegments: 60,
      delayUs: 20_000,
    });
    pair.run();
    pair.b.tcb.discards = true;
    pair.a.send({ fill: 20_000_000 });
    pair.run();
    const seconds = pair.clock.nowUs / 1e6;
    const most = (10_000_000 * 1_460) / 1_514;
    expect((8 * 20_000_000) / seconds / most).toBeGreaterThan(0.95);
    expect(pair.discarded).toBe(20_000_000);
    expect(pair.a.tcb.counters.timeouts).toBe(0);
  });

  it("of a long path is a window per round trip, without window scaling", () => {
    const pair = new Pair({
      settings: { receiveBufferBytes: 1_000_000, windowScaling: false },
      mssBytes: 1_460,
      delayUs: 50_000,
    });
    pair.run();
    pair.b.tcb.discards = true;
    pair.a.send({ fill: 2_000_000 });
    pair.run();
    const bps = (8 * 2_000_000) / (pair.clock.nowUs / 1e6);
    expect(bps / ((8 * 65_535) / 0.1)).toBeGreaterThan(0.8);
    expect(bps / ((8 * 65_535) / 0.1)).toBeLessThanOrEqual(1);
  });
});
