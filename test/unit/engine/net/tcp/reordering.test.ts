import { describe, expect, it } from "vitest";
import { established, Pair } from "../../../../helpers/engine/tcp-bench.ts";

const SEGMENT = 1_000;
const range = (n: number): [number, number] => [1 + n * SEGMENT, 1 + (n + 1) * SEGMENT];
const sentRange = (n: number): string => `ACK ${range(n).join(":")} ack 1`;

/** Ten segments were sent 10 ms ago, and 90 wait. */
function sending(settings: Parameters<typeof established>[0] = {}) {
  const it = established(settings);
  it.connection.send({ fill: 100 * SEGMENT });
  it.clock.run(20_000);
  it.take();
  return it;
}

describe("RACK (RFC 8985, section 6)", () => {
  it("waits a quarter of the shortest round trip for a segment that was overtaken", () => {
    const it = sending();
    it.report(1, range(1));
    it.take();
    it.clock.run(22_499);
    expect(it.take()).toEqual([]);
    it.clock.run(22_500);
    expect(it.take()[0]).toBe(sentRange(0));
  });

  it("waits no longer for three segments before reordering is seen, and does so afterwards", () => {
    const it = sending();
    it.report(1, range(1));
    it.report(1, [range(1)[0], range(2)[1]]);
    it.report(range(2)[1]);
    expect(it.connection.tcb.rack.isReordering).toBe(true);
    it.take();
    it.report(range(2)[1], [range(4)[0], range(7)[1]]);
    expect(it.take().every((line) => line !== sentRange(3))).toBe(true);
    it.clock.run(22_500);
    expect(it.take()).toContain(sentRange(3));
  });

  it("finds the loss of a retransmission by what was sent after it", () => {
    const it = sending();
    it.report(1, [range(1)[0], range(4)[1]]);
    expect(it.take()[0]).toBe(sentRange(0));
    it.clock.run(30_000);
    it.report(1, [range(1)[0], range(9)[1]]);
    it.take();
    it.clock.run(40_000);
    it.report(1, [range(1)[0], range(12)[1]]);
    expect(it.take()).toContain(sentRange(0));
    expect(it.connection.tcb.counters.fastRecoveries).toBe(1);
  });

  it("doubles its window in a round trip that has a D-SACK, once", () => {
    const it = sending();
    it.connection.tcb.rack.isReordering = true;
    it.connection.tcb.counters.retransmissions = 5;
    it.report(range(4)[1], range(0));
    it.report(range(4)[1], range(1));
    expect(it.connection.tcb.rack.multiplier).toBe(2);
    it.report(it.connection.tcb.next - it.connection.tcb.initial, range(2));
    it.report(it.connection.tcb.next - it.connection.tcb.initial, range(3));
    expect(it.connection.tcb.rack.multiplier).toBe(3);
  });
});

describe("a reduction that was wrong", () => {
  it("is undone when each retransmission is reported as a duplicate (RFC 3708)", () => {
    const it = sending();
    const { congestion } = it.connection.tcb;
    const before = congestion.windowBytes;
    it.report(1, [range(1)[0], range(4)[1]]);
    expect(it.take()[0]).toBe(sentRange(0));
    expect(congestion.windowBytes).toBeLessThan(before);
    it.report(range(4)[1]);
    it.report(range(9)[1], range(0));
    expect(it.connection.tcb.counters.undone).toBe(1);
    expect(congestion.windowBytes).toBeGreaterThanOrEqual(before);
    expect([congestion.thresholdBytes, it.connection.tcb.recovery]).toEqual([undefined, undefined]);
  });

  it("stays if the peer reports more duplicates than were sent: the network copies segments", () => {
    const it = sending();
    it.report(range(0)[1], range(0));
    it.report(range(1)[1], range(1));
    it.report(range(1)[1], [range(3)[0], range(6)[1]]);
    it.report(range(6)[1]);
    it.report(range(9)[1], range(2));
    expect(it.connection.tcb.counters.undone).toBeUndefined();
    expect(it.connection.tcb.congestion.thresholdBytes).toBeDefined();
  });

  it.each([true, false])(
    "leaves a transfer in which every tenth segment is 12 ms late as fast as any (timestamps: %s)",
    (timestamps) => {
      const run = (lateUs: number) => {
        const pair = new Pair({
          settings: { timestamps, receiveBufferBytes: 1_000_000, congestion: "cubic" },
          rateBps: 20_000_000,
          lateUs: ({ from, number }) => (from === "a" && number % 10 === 5 ? lateUs : 0),
        });
        pair.a.send({ fill: 2_000_000 });
        pair.run();
        expect(pair.received.b).toHaveLength(2_000_000);
        return { seconds: pair.crossings.at(-1)!.atUs / 1e6, counters: pair.a.tcb.counters };
      };
      const [late, plain] = [run(12_000), run(0)];
      expect(late.seconds).toBeLessThan(1.1 * plain.seconds);
      expect(late.counters.undone).toBeGreaterThan(0);
      expect(late.counters.timeouts).toBe(0);
    },
  );
});

describe("the probe of a tail (RFC 8985, section 7)", () => {
  it("is new data, if there are any, after two round trips", () => {
    const it = sending();
    it.report(range(9)[1]);
    it.take();
    it.clock.run(39_999);
    expect(it.take()).toEqual([]);
    it.clock.run(40_000);
    expect(it.take()).toEqual([sentRange(28)]);
    expect(it.connection.tcb.counters.retransmissions).toBe(0);
  });

  it("repairs a lost tail without a timeout, and reduces the window", () => {
    const lost = new Set([(0xffff_ff00 + range(29)[0]) >>> 0]);
    const pair = new Pair({ loses: ({ from, segment }) => from === "a" && lost.delete(segment.sequence) });
    pair.a.send({ fill: 30 * SEGMENT });
    pair.run();
    expect(pair.received.b).toHaveLength(30 * SEGMENT);
    expect(pair.a.tcb.counters).toMatchObject({ retransmissions: 1, timeouts: 0 });
    // Only later data prove that the probe was not a duplicate.
    expect(pair.a.tcb.congestion.thresholdBytes).toBeUndefined();
    pair.a.send({ fill: SEGMENT });
    pair.run();
    expect(pair.a.tcb.congestion.thresholdBytes).toBeGreaterThan(0);
  });

  it("does not reduce it if the acknowledgement was late: the probe is reported as a duplicate", () => {
    const it = established();
    it.connection.send({ fill: 2 * SEGMENT });
    it.clock.run(100_000);
    expect(it.take().at(-1)).toBe(`PSH,${sentRange(1)}`);
    it.report(range(1)[1]);
    it.report(range(1)[1], range(1));
    expect([it.connection.tcb.probe, it.connection.tcb.congestion.thresholdBytes]).toEqual([
      undefined,
      undefined,
    ]);
  });
});
