import { describe, expect, it } from "vitest";
import { grow, makeCongestion } from "../../../../../packages/engine/net/tcp/congestion.ts";
import { makeHystart, noteSent, takeRound } from "../../../../../packages/engine/net/tcp/hystart.ts";
import { Pair } from "../../../../helpers/engine/tcp-bench.ts";

const MSS = 1_000;

/** A slow start whose rounds the test gives: ten segments each, with one acknowledgement for each. */
class SlowStart {
  readonly congestion = { ...makeCongestion("newreno", MSS), hystart: makeHystart(0) };
  #position = 1;
  #nowUs = 0;

  /** @param roundTripUs of each segment. */
  round(roundTripUs: number, segments = 10): void {
    const first = this.#position;
    for (let n = 1; n <= segments; n++) noteSent(this.congestion.hystart, first + n * MSS, this.#nowUs);
    this.#nowUs += roundTripUs;
    this.#position += segments * MSS;
    for (let n = 1; n <= segments; n++)
      takeRound(this.congestion, this.#position, first + n * MSS, this.#nowUs);
  }

  get phase(): string {
    const { hystart, thresholdBytes } = this.congestion;
    if (thresholdBytes !== undefined) return "avoidance";
    return hystart.baselineUs === undefined ? "slow start" : "conservative";
  }
}

describe("HyStart++ (RFC 9406)", () => {
  it.each([
    ["4 ms of a short round trip", 20_000, 4_000],
    ["an eighth of a round trip", 80_000, 10_000],
    ["16 ms of a long round trip", 400_000, 16_000],
  ])("becomes conservative when a round takes longer by %s", (_, roundTripUs, thresholdUs) => {
    const start = new SlowStart();
    start.round(roundTripUs);
    start.round(roundTripUs);
    start.round(roundTripUs + thresholdUs - 1);
    expect(start.phase).toBe("slow start");
    const other = new SlowStart();
    other.round(roundTripUs);
    other.round(roundTripUs);
    other.round(roundTripUs + thresholdUs);
    expect(other.phase).toBe("conservative");
  });

  it("decides by eight measurements at least", () => {
    const start = new SlowStart();
    start.round(20_000);
    start.round(20_000);
    start.round(90_000, 7);
    expect(start.phase).toBe("slow start");
    start.round(200_000, 8);
    expect(start.phase).toBe("conservative");
  });

  it("leads to congestion avoidance with the present window after five rounds, the one of the change counted", () => {
    const start = new SlowStart();
    start.round(20_000);
    start.round(20_000);
    for (let round = 0; round < 5; round++) start.round(30_000);
    expect(start.phase).toBe("conservative");
    start.round(30_000, 1);
    expect(start.phase).toBe("avoidance");
    expect(start.congestion).toMatchObject({
      thresholdBytes: start.congestion.windowBytes,
      hystart: undefined,
    });
  });

  it("grows the window by a quarter of slow start's growth while it is conservative", () => {
    const start = new SlowStart();
    const path = { nowUs: 0, roundTripUs: 20_000, mssBytes: MSS };
    const growth = (): number => {
      const before = start.congestion.windowBytes;
      grow(start.congestion, 2 * MSS, path);
      return start.congestion.windowBytes - before;
    };
    expect(growth()).toBe(2 * MSS);
    for (const roundTripUs of [20_000, 20_000, 30_000]) start.round(roundTripUs);
    expect(growth()).toBe(MSS / 2);
  });

  it("goes back to slow start when the round trip shrinks again", () => {
    const start = new SlowStart();
    start.round(20_000);
    start.round(20_000);
    start.round(30_000);
    expect(start.phase).toBe("conservative");
    start.round(22_000);
    expect(start.phase).toBe("slow start");
  });

  it.each(["newreno", "cubic"] as const)(
    "spares %s most of the losses of a deep queue at the beginning",
    (congestion) => {
      const run = (settings: { readonly hystart?: true }) => {
        const pair = new Pair({
          settings: { congestion, receiveBufferBytes: 4_000_000, ...settings },
          mssBytes: 1_460,
          rateBps: 20_000_000,
          queueSegments: 200,
          delayUs: 20_000,
        });
        pair.run();
        pair.a.send({ fill: 3_000_000 });
        pair.run();
        expect(pair.b.tcb.counters.bytesReceived).toBe(3_000_000);
        return pair.a.tcb.counters.retransmissions;
      };
      expect(run({ hystart: true })).toBeLessThan(run({}) / 3);
    },
  );
});
