import { describe, expect, it } from "vitest";
import { TCP_ACK } from "../../../../../packages/engine/wire/tcp.ts";
import { established, Pair } from "../../../../helpers/engine/tcp-bench.ts";

const SEGMENT = 1_000;
/** Segment n of the data: its range, relative to the initial number. */
const range = (n: number): [number, number] => [1 + n * SEGMENT, 1 + (n + 1) * SEGMENT];
const sentRange = (n: number): string => `ACK ${range(n).join(":")} ack 1`;

/** A connection that has sent ten segments of 100 that wait, a round trip of 10 ms ago. */
function sending(settings: Parameters<typeof established>[0] = {}) {
  const it = established(settings);
  it.connection.send({ fill: 100 * SEGMENT });
  expect(it.take()).toEqual(Array.from({ length: 10 }, (_, n) => sentRange(n)));
  it.clock.run(20_000);
  return it;
}

describe("the retransmission timer (RFC 6298)", () => {
  it("sends the first segment again after the timeout, and doubles it each time", () => {
    const it = established({ sack: false });
    it.connection.send({ text: "x" });
    it.clock.run(5_000_000);
    const times = it.sent.map(({ atUs }) => atUs);
    const gaps = times.slice(1).map((atUs, index) => atUs - times[index]!);
    // The handshake has measured 10 ms, and the term of the variance is 200 ms: 210, 420, 840, 1680 ms.
    expect(gaps).toEqual([210_000, 420_000, 840_000, 1_680_000]);
    expect(it.connection.tcb.counters.timeouts).toBe(4);
  });

  it("does not measure a segment that was sent twice (Karn), and ends the backoff with the next measurement", () => {
    const it = established({ sack: false });
    it.connection.send({ text: "x" });
    it.clock.run(300_000);
    it.peer(0, 1, 2);
    expect(it.connection.tcb.roundTrip.rtoUs).toBe(420_000);
    it.connection.send({ text: "y" });
    it.clock.run(310_000);
    it.peer(0, 1, 3);
    expect(it.connection.tcb.roundTrip.rtoUs).toBe(210_000);
  });

  it("begins slow start anew with one segment, and half of the flight as threshold", () => {
    const it = sending({ sack: false });
    it.clock.run(230_000);
    expect(it.take()).toEqual([sentRange(0)]);
    expect(it.connection.tcb.congestion).toMatchObject({ windowBytes: SEGMENT, thresholdBytes: 5 * SEGMENT });
    it.report(range(0)[1]);
    expect(it.take()).toEqual([sentRange(1), sentRange(2)]);
  });

  it("gives up after 15 timeouts in a row", () => {
    const it = established({ sack: false });
    it.connection.send({ text: "x" });
    it.clock.run();
    expect([it.sent.length, it.events.at(0)]).toEqual([16, { kind: "closed", reason: "timed out" }]);
  });
});

describe("fast recovery with SACK (RFC 8985, RFC 9937)", () => {
  it("sends new data for the first two duplicates (RFC 3042), and the lost segment at the third", () => {
    const it = sending();
    it.report(1, range(1));
    expect(it.take()).toEqual([sentRange(10)]);
    it.report(1, [range(1)[0], range(2)[1]]);
    expect(it.take()).toEqual([sentRange(11)]);
    it.report(1, [range(1)[0], range(3)[1]]);
    expect(it.take()).toEqual([sentRange(0)]);
    expect(it.connection.tcb.counters).toMatchObject({ fastRecoveries: 1, retransmissions: 1 });
  });

  it("repairs several losses of a window in one round trip, without a timeout", () => {
    const lost = new Set([12, 14, 17, 18]);
    const pair = new Pair({
      loses: ({ from, number }) => from === "a" && lost.delete(number),
      settings: { receiveBufferBytes: 60_000 },
    });
    pair.a.send({ fill: 40 * SEGMENT });
    pair.run();
    expect(pair.received.b).toHaveLength(40 * SEGMENT);
    expect(pair.a.tcb.counters).toMatchObject({ retransmissions: 4, timeouts: 0, fastRecoveries: 1 });
  });

  it("sends a lost retransmission again without a timeout", () => {
    let copies = 0;
    const pair = new Pair({
      loses({ from, number, segment }) {
        const isLost =
          from === "a" && segment.data.length > 0 && segment.sequence === (0xffff_ff00 + 20_001) >>> 0;
        return number > 1 && isLost && copies++ < 2;
      },
    });
    pair.a.send({ fill: 200 * SEGMENT });
    pair.run();
    expect(pair.received.b).toHaveLength(200 * SEGMENT);
    expect(pair.a.tcb.counters).toMatchObject({ retransmissions: 2, timeouts: 0 });
  });

  it("ends with half of the window", () => {
    const it = sending();
    for (const last of [1, 2, 3, 4, 5, 6, 7, 8, 9]) it.report(1, [range(1)[0], range(last)[1]]);
    it.report(range(12)[1]);
    expect(it.connection.tcb.recovery).toBeUndefined();
    expect(it.connection.tcb.congestion.windowBytes).toBe(5_000);
  });

  it("ignores blocks of what was never sent, and takes no duplicate for a block that it knows", () => {
    const it = sending();
    it.report(1, [500_000, 600_000]);
    for (let n = 0; n < 5; n++) it.report(1, range(1));
    expect(it.connection.tcb.reported).toHaveLength(1);
    expect([it.take(), it.connection.tcb.recovery]).toEqual([[sentRange(10)], undefined]);
  });
});

describe("fast recovery without SACK (NewReno, RFC 6582)", () => {
  it("sends the first segment again at the third duplicate, and the next one at each partial acknowledgement", () => {
    const it = sending({ sack: false });
    for (let n = 0; n < 2; n++) it.report(1);
    expect(it.take()).toEqual([sentRange(10), sentRange(11)]);
    it.report(1);
    expect(it.take()).toEqual([sentRange(0)]);
    for (let n = 0; n < 6; n++) it.report(1);
    it.take();
    it.report(range(3)[0]);
    expect(it.take()[0]).toBe(sentRange(3));
    expect(it.connection.tcb.recovery?.kind).toBe("fast");
  });

  it("repairs two losses of a window without a timeout", () => {
    const lost = new Set([12, 16]);
    const pair = new Pair({
      settings: { sack: false },
      loses: ({ from, number }) => from === "a" && lost.delete(number),
    });
    pair.a.send({ fill: 60 * SEGMENT });
    pair.run();
    expect(pair.received.b).toHaveLength(60 * SEGMENT);
    expect(pair.a.tcb.counters).toMatchObject({ retransmissions: 2, timeouts: 0 });
  });
});

describe("any loss", () => {
  it.each([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])(
    "delivers the stream whole, with a third of the segments lost (%i)",
    (seed) => {
      let state = seed * 2_654_435_761;
      const random = (): number => {
        state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
        return state / 2 ** 32;
      };
      const pair = new Pair({
        settings: {
          timestamps: seed % 2 === 0,
          sack: seed % 3 !== 0,
          congestion: (["cubic", "newreno", "bbr"] as const)[Math.floor(seed / 4) % 3]!,
        },
        loses: () => random() < 0.33,
      });
      const text = Array.from({ length: 30_000 }, (_, n) => String.fromCharCode(65 + (n % 26))).join("");
      pair.a.send({ text });
      pair.a.close();
      pair.run();
      expect(pair.received.b === text).toBe(true);
      expect(pair.a.tcb.counters.retransmissions).toBeGreaterThan(0);
    },
  );

  it("acknowledges a segment that was repeated, and delivers its bytes once", () => {
    const it = established();
    const data = Uint8Array.of(65, 66);
    it.peer(TCP_ACK, 1, 1, { data });
    it.peer(TCP_ACK, 1, 1, { data });
    expect(it.take()).toEqual(["ACK 1:1 ack 3"]);
    expect(it.events).toEqual([{ kind: "data", bytes: "AB" }]);
  });
});
