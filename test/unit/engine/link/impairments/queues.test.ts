import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { checksum } from "../../../../../packages/engine/base/checksum.ts";
import { markCongestion } from "../../../../../packages/engine/link/impairments/ecn.ts";
import { type Sent, sendThrough, stream } from "./harness.ts";
import { RfcCodel, RfcFqCodel, type Settings, serve } from "./rfc-queues.ts";

const MS = 1_000_000;

/** An IPv4 packet in an Ethernet frame, with ports and the two bits of ECN. */
function ipv4(bytes: number, { ecn = 0, port = 1, protocol = 17 } = {}): Uint8Array {
  const frame = new Uint8Array(bytes);
  frame.set([8, 0, 0x45, ecn, 0, bytes - 14, 0, 0, 0, 0, 64, protocol, 0, 0, 10, 0, 0, 1, 10, 0, 0, 2], 12);
  const sum = checksum(frame, 14, 34);
  frame.set([sum >> 8, sum & 255, 10, 0, 0, 1, 10, 0, 0, 2, port >> 8, port & 255], 24);
  return frame;
}

/** RFC 8289's queue, served at 4 Mb/s, 2,000 ns a byte: the packets that leave and those that are dropped, each with its time. */
function codelOfRfc(arrivals: readonly Sent[], settings: Settings) {
  const drops: [number, number][] = [];
  const codel = new RfcCodel(settings, ({ number }, now) => void drops.push([number, now]));
  return { left: serve(arrivals, 2_000, codel), drops, resumed: codel.resumed };
}

/** Packets in phases: each has a number of packets, the gap between them and their size. */
const phases = (minGapNs: number) =>
  fc.array(
    fc.tuple(
      fc.integer({ min: 20, max: 200 }),
      fc.integer({ min: minGapNs, max: 3 * MS }),
      fc.integer({ min: 60, max: 1_500 }),
    ),
    { minLength: 4, maxLength: 10 },
  );

function inPhases(list: readonly (readonly [count: number, gapNs: number, bytes: number])[]) {
  let atNs = 0;
  return list.flatMap(([count, gapNs, bytes]) =>
    Array.from({ length: count }, () => {
      atNs += gapNs;
      return { atNs, bytes };
    }),
  );
}

describe("CoDel", () => {
  const queue = { discipline: "codel", target: "5ms", interval: "100ms", limit: 1_000 };
  const RECOMMENDED = { target: 5 * MS, interval: 100 * MS, limit: 1_000 };

  test("drops what RFC 8289's algorithm drops, and sends the rest at the same nanosecond", () => {
    const gaps = fc.array(
      fc.tuple(fc.integer({ min: 0, max: 3 * MS }), fc.integer({ min: 60, max: 1_500 })),
      {
        minLength: 200,
        maxLength: 600,
      },
    );
    fc.assert(
      fc.property(gaps, (list) => {
        let atNs = 0;
        const sent = list.map(([gapNs, bytes]) => {
          atNs += gapNs;
          return { atNs, bytes };
        });
        const { arrived, lost } = sendThrough({ rate: "4mbit", queue }, sent);
        const reference = codelOfRfc(sent, RECOMMENDED);
        expect(arrived.map(({ number, atNs: arrivedNs }) => [number, arrivedNs])).toEqual(reference.left);
        expect(lost.map(({ number }) => number)).toEqual(reference.drops.map(([number]) => number));
      }),
      { seed: 8_289, numRuns: 40 },
    );
  });

  test("drops the same under loads that come and go, where a dropping state resumes the rate of drops of the last one", () => {
    const total = { drops: 0, resumed: 0 };
    fc.assert(
      fc.property(phases(MS / 10), (list) => {
        const sent = inPhases(list);
        const settings = { ...queue, target: "1ms", interval: "10ms" };
        const { arrived, lost } = sendThrough({ rate: "4mbit", queue: settings }, sent);
        const reference = codelOfRfc(sent, { target: MS, interval: 10 * MS, limit: 1_000 });
        expect(lost.map(({ number }) => number)).toEqual(reference.drops.map(([number]) => number));
        expect(arrived.map(({ number, atNs }) => [number, atNs])).toEqual(reference.left);
        total.drops += reference.drops.length;
        total.resumed += reference.resumed;
      }),
      { seed: 8_289, numRuns: 40 },
    );
    expect(total.drops).toBeGreaterThan(1_000);
    expect(total.resumed).toBeGreaterThan(10);
  });

  test("under constant overload, drops come closer with the square root of their number", () => {
    // 1,000 bytes a millisecond into 4 Mb/s, which takes 2 ms for each.
    const sent = stream(1_500, MS, 1_000);
    const { drops } = codelOfRfc(sent, RECOMMENDED);
    expect(drops.length).toBeGreaterThan(30);
    const { lost } = sendThrough({ rate: "4mbit", queue }, sent);
    expect(lost.filter(({ reason }) => reason === "queue.codel").map(({ number }) => number)).toEqual(
      drops.map(([number]) => number),
    );
    // Each drop is at the first dequeue, every 2 ms, after its time of the control law.
    let lawNs = drops[0]![1];
    for (const [index, [, atNs]] of drops.slice(0, 20).entries()) {
      expect(atNs - lawNs).toBeGreaterThanOrEqual(0);
      expect(atNs - lawNs).toBeLessThan(2 * MS + 1);
      lawNs += Math.round((100 * MS) / Math.sqrt(index + 1));
    }
  });

  test("keeps the queue short of a sender that it cannot slow down only by its limit, and one within the rate alone", () => {
    expect(sendThrough({ rate: "4mbit", queue }, stream(500, 3 * MS, 1_000)).lost).toEqual([]);
  });

  test("marks packets that can carry a mark instead of dropping them", () => {
    const sent = (ecn: number) => stream(1_000, MS).map(({ atNs }) => ({ atNs, data: ipv4(250, { ecn }) }));
    const settings = { rate: "1mbit", queue: { ...queue, ecn: true } };
    const { arrived, lost, report } = sendThrough(settings, sent(2));
    const marked = arrived.filter(({ data }) => (data[15]! & 3) === 3);
    expect(lost).toEqual([]);
    expect(marked.length).toBeGreaterThan(10);
    for (const { data } of marked) expect(checksum(data, 14, 34)).toBe(0);
    expect(report.counts.find(({ type }) => type === "queue.codel")).toMatchObject({ marked: marked.length });
    expect(sendThrough(settings, sent(0)).lost.length).toBeGreaterThan(10);
  });
});

describe("marks", () => {
  test("are set in IPv6 and behind VLAN tags, and only in packets that allow it", () => {
    const ipv6 = new Uint8Array(60);
    ipv6.set([0x81, 0, 0, 5, 0x86, 0xdd, 0x60, 0x10], 12);
    expect(markCongestion(ipv6)?.slice(18, 20)).toEqual(Uint8Array.of(0x60, 0x30));
    expect(ipv6[19]).toBe(0x10);
    ipv6[19] = 0;
    expect(markCongestion(ipv6)).toBeUndefined();
    expect(markCongestion(new Uint8Array(60))).toBeUndefined();
    const already = ipv4(60, { ecn: 3 });
    expect(markCongestion(already)).toBe(already);
  });

  test("take the place of a loss by chance", () => {
    const { arrived } = sendThrough({ loss: { random: 100, ecn: true } }, [
      { atNs: 0, data: ipv4(60, { ecn: 1 }) },
    ]);
    expect(arrived[0]!.data[15]).toBe(3);
  });
});

describe("RED", () => {
  /** Packets of 1,000 bytes; the average is the queue itself, and the queue stays between the thresholds. */
  const red = { discipline: "red", min: 5_000, max: 15_000, probability: "10%", weight: 1, limit: 100 };

  test("drops none while the average is below min, and all while it is above max", () => {
    expect(sendThrough({ rate: 8, queue: red }, stream(5, 0, 1_000)).lost).toEqual([]);
    const { lost } = sendThrough({ rate: 8, queue: { ...red, probability: 0 } }, stream(30, 0, 1_000));
    // One is being sent, 15 wait: each later one finds 15,000 bytes.
    expect(lost.map(({ number }) => number)).toEqual(Array.from({ length: 14 }, (_, index) => index + 17));
  });

  test("spreads drops between the thresholds evenly, as its authors' count does", () => {
    // Some 10 packets wait: the chance is about 0.1 * (10,000 - 5,000) / 10,000 = 5 %, which is the overload. Without the count,
    // one gap in eight would be longer than 40 packets.
    const sent = stream(20_000, 950_000_000, 1_000);
    const { lost } = sendThrough({ rate: 8_000, queue: red }, sent);
    const settled = lost.filter(({ number }) => number > 1_000);
    const gaps = settled.slice(1).map(({ number }, index) => number - settled[index]!.number);
    expect(gaps.length).toBeGreaterThan(900);
    expect(gaps.filter((gap) => gap > 40).length / gaps.length).toBeLessThan(0.02);
    expect(new Set(gaps).size).toBeGreaterThan(15);
  });

  test("the average decays while the queue is empty", () => {
    const queue = { ...red, weight: 0.5, min: 500, max: 2_000, avpkt: 1_000 };
    const sent = [
      ...stream(6, 0, 1_000),
      ...stream(3, 0, 1_000).map(({ bytes }) => ({ atNs: 1e12, bytes: bytes! })),
    ];
    const { lost } = sendThrough({ rate: "8kbit", queue: { ...queue, probability: 0 } }, sent);
    expect(lost.every(({ number }) => number <= 6)).toBe(true);
  });

  test("a packet that is lost at an empty queue does not end the decay", () => {
    const queue = { ...red, weight: 0.1, min: 500, max: 2_000, avpkt: 1_000, probability: 0 };
    const at = (seconds: number): Sent => ({ atNs: seconds * 1e9, bytes: 1_000 });
    const { lost } = sendThrough({ rate: "8kbit", queue }, [...stream(60, 0, 1_000), at(8), at(28)]);
    expect(lost.map(({ number }) => number).slice(-2)).toEqual([60, 61]);
  });
});

describe("fq_codel", () => {
  const queue = { discipline: "fq_codel" };
  const flow = (count: number, port: number, atNs = 0): Sent[] =>
    Array.from({ length: count }, () => ({ atNs, data: ipv4(250, { port }) }));

  test("shares the rate evenly among flows", () => {
    const { arrived } = sendThrough({ rate: "2mbit", queue }, [...flow(60, 1), ...flow(30, 2)]);
    // 60 packets leave in the first 60 ms: half of each flow.
    const early = arrived.slice(0, 60).filter(({ number }) => number > 60);
    expect(early.length).toBeGreaterThanOrEqual(24);
  });

  test("lets a packet of a new flow pass a standing queue", () => {
    const { arrived } = sendThrough({ rate: "2mbit", queue }, [...flow(50, 1), ...flow(1, 2, MS / 2)]);
    expect(arrived.findIndex(({ number }) => number === 51)).toBeLessThan(8);
  });

  test.each([
    { name: "at its own settings", quantum: 1_514, limit: 10_000, drop_batch: 64 },
    { name: "with a limit that drops in batches", quantum: 1_514, limit: 60, drop_batch: 8 },
    { name: "with turns shorter than packets", quantum: 300, limit: 10_000, drop_batch: 64 },
  ])("sends and drops what RFC 8290's algorithm does, $name", ({ quantum, limit, drop_batch: dropBatch }) => {
    const total = { full: 0, codel: 0, overtook: 0 };
    fc.assert(
      fc.property(fc.array(phases(MS / 10), { minLength: 2, maxLength: 6 }), (flows) => {
        const sent = flows
          .flatMap((list, flow) => inPhases(list).map((each) => ({ ...each, flow })))
          .sort((a, b) => a.atNs - b.atNs)
          .map(({ atNs, bytes, flow }) => ({ atNs, flow, data: ipv4(bytes, { port: flow + 1 }) }));
        const drops: number[] = [];
        const settings = { target: 1 * MS, interval: 10 * MS, limit, quantum, dropBatch };
        const reference = serve(
          sent,
          2_000,
          new RfcFqCodel(settings, ({ number }) => void drops.push(number)),
        );
        const { arrived, lost } = sendThrough(
          {
            rate: "4mbit",
            queue: {
              ...queue,
              flows: 65_536,
              target: "1ms",
              interval: "10ms",
              limit,
              quantum,
              drop_batch: dropBatch,
            },
          },
          sent,
        );
        expect(arrived.map(({ number, atNs }) => [number, atNs])).toEqual(reference);
        expect(lost.map(({ number }) => number)).toEqual(drops);
        total.full += lost.filter(({ reason }) => reason === "queue.full").length;
        total.codel += lost.filter(({ reason }) => reason === "queue.codel").length;
        total.overtook += arrived.filter(({ number }, at) => number < (arrived[at - 1]?.number ?? 0)).length;
      }),
      { seed: 8_290, numRuns: 15 },
    );
    expect(total.overtook).toBeGreaterThan(1_000);
    expect(limit < 100 ? total.full : total.codel).toBeGreaterThan(200);
  });

  test("drops from the longest queue when the limit is reached", () => {
    const settings = { rate: "2mbit", queue: { ...queue, limit: 20, drop_batch: 1 } };
    const { lost } = sendThrough(settings, [...flow(19, 1), ...flow(6, 2)]);
    expect(lost.length).toBeGreaterThan(0);
    expect(lost.every(({ number, reason }) => number <= 19 && reason === "queue.full")).toBe(true);
  });
});

test("a report has the length that packets found, and their sojourn", () => {
  const { report } = sendThrough({ rate: "8mbit" }, stream(4, 0));
  expect(report.queue).toEqual({
    packets: 0,
    bytes: 0,
    lengthPackets: { p50: 0, p90: 2, p99: 2, max: 2 },
    lengthBytes: { p50: 0, p90: 200, p99: 200, max: 200 },
    sojournMs: {
      p50: expect.closeTo(0.1, 2),
      p90: expect.closeTo(0.3, 1),
      p99: expect.closeTo(0.3, 1),
      max: 0.3,
    },
  });
});
