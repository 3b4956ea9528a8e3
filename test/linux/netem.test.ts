/**
 * The impairments of this engine beside the original: a guest routes the same packets through Linux's queueing disciplines. Guests run in
 * virtual time, so each packet of the original has an exact time, too, and a comparison comes out the same every time.
 */
import { cacheFolder, imagesFolder, readFacts } from "@wirelab/linux/image/image";
import { beforeAll, describe, expect, test } from "vitest";
import { drawn, drawOf } from "../helpers/cases/draw.ts";
import { CASES } from "../proof/netem/cases.ts";
import { type Passed, throughGuest } from "../proof/netem/in-guest.ts";
import { measure, type Seen } from "../proof/netem/measure.ts";
import { evenly, simulate } from "../proof/netem/simulate.ts";

const hasImage = readFacts(imagesFolder(cacheFolder(process.env)), "debian") !== undefined;
const BYTES = 1_014;
const INTERVAL_NS = 1_000_000;
const NONE = "tc qdisc del dev eth1 root 2>/dev/null";
const netem = (settings: string) => [NONE, `tc qdisc add dev eth1 root netem limit 100000 ${settings}`];
/** A discipline below a token bucket of 6 Mb/s, which sends less than the 8.1 Mb/s that come. */
const shaped = (discipline: string) => [
  NONE,
  "tc qdisc add dev eth1 root handle 1: tbf rate 6mbit burst 1600 limit 10000000",
  `tc qdisc add dev eth1 parent 1:1 ${discipline}`,
];
/** A draw has the same outcome every time: its packets and the guest are the same. */
const draw = drawOf(4);
const SHAPED = { rate: "6mbit", burst: 1_600 };

const numbers = (seen: readonly Seen[]) => seen.map(({ number }) => number);
function lost(seen: readonly Seen[], count: number): number[] {
  const there = new Set(numbers(seen));
  return Array.from({ length: count }, (_, number) => number).filter((number) => !there.has(number));
}

describe.skipIf(!hasImage)("netem (skipped without the image: wirelab image build debian)", () => {
  /** What Linux and this engine do, packet by packet. */
  const ALL: readonly (readonly [name: string, commands: readonly string[], ours: object])[] = [
    ["delay 20ms", netem("delay 20ms"), { delay: "20ms" }],
    ["a rate below the load", netem("rate 6mbit"), { rate: "6mbit", queue: { limit: 100_000 } }],
    [
      "a rate with overhead and cells",
      netem("rate 6mbit 20 48 5"),
      { rate: { rate: "6mbit", overhead: 20, cell_size: 48, cell_overhead: 5 }, queue: { limit: 100_000 } },
    ],
    [
      "a rate with a negative overhead",
      netem("rate 7mbit -14"),
      { rate: { rate: "7mbit", overhead: -14 }, queue: { limit: 100_000 } },
    ],
    [
      "a rate and a delay",
      netem("rate 7mbit delay 10ms"),
      { rate: "7mbit", delay: "10ms", queue: { limit: 100_000 } },
    ],
    [
      "every fifth packet without its delay",
      netem("delay 10ms reorder 100% gap 5"),
      { delay: "10ms", reorder: { chance: "100%", gap: 5 } },
    ],
    ["two of each packet", netem("delay 3ms duplicate 100%"), { delay: "3ms", duplicate: "100%" }],
    [
      "a token bucket",
      [NONE, "tc qdisc add dev eth1 root tbf rate 6mbit burst 5000 limit 100000000"],
      { rate: { rate: "6mbit", burst: 5_000 }, queue: { limit: 100_000 } },
    ],
  ];
  const EXACT = drawn(ALL, draw);
  const PACKETS = 1_500;
  const sentNs = evenly(PACKETS, INTERVAL_NS);
  const CODEL = { target: "5ms", interval: "100ms" };
  const OTHERS: Readonly<Record<string, readonly string[]>> = {
    nothing: [NONE],
    netem: [NONE, "tc qdisc add dev eth1 root netem rate 6mbit limit 20"],
    pfifo: shaped("pfifo limit 20"),
    codel: shaped("codel limit 1000 target 5ms interval 100ms"),
    fq_codel: shaped("fq_codel limit 1000 flows 1024 quantum 1514 target 5ms interval 100ms"),
    red: shaped("red limit 400000 min 10000 max 30000 avpkt 1000 burst 20 bandwidth 6mbit probability 0.1"),
  };
  const passed = new Map<string, Passed>();
  beforeAll(() => {
    const cases = [...Object.entries(OTHERS), ...EXACT];
    const results = throughGuest(cases.map(([, commands]) => ({ commands, sentNs, bytes: BYTES })));
    for (const [index, [name]] of cases.entries()) passed.set(name, results[index]!);
  }, 300_000);

  test("a guest routes a packet in less than 80 us, which the other comparisons allow for", () => {
    const { arrived } = passed.get("nothing")!;
    const delays = arrived.map(({ number, atNs }) => atNs - sentNs[number]!);
    expect(delays).toHaveLength(PACKETS);
    expect(Math.min(...delays)).toBeGreaterThan(0);
    // 38 us, and longer beside a timer of the kernel.
    expect(Math.max(...delays)).toBeLessThan(80_000);
  });

  test.each(EXACT)(
    `%s: each packet arrives in the same order, and 99 of 100 within 120 us${draw.note}`,
    (name, _, ours) => {
      const theirs = passed.get(name)!.arrived;
      const own = simulate(ours, sentNs, BYTES);
      expect(numbers(own)).toEqual(numbers(theirs));
      const late = theirs.map(({ atNs }, index) => atNs - own[index]!.atNs);
      expect(Math.min(...late)).toBeGreaterThan(0);
      const [most, last] = [
        late.toSorted((a, b) => a - b)[Math.floor(late.length * 0.99)]!,
        Math.max(...late),
      ];
      expect(most).toBeLessThan(120_000);
      // A task of the guest's own may keep some packets waiting.
      expect(last).toBeLessThan(1_000_000);
    },
  );

  test.each([
    ["netem", { rate: "6mbit" }],
    ["pfifo", { rate: SHAPED }],
  ])(
    "a full queue of %s loses the same packets; its limit counts the one that is being sent",
    (name, rate) => {
      const theirs = lost(passed.get(name)!.arrived, PACKETS);
      const own = lost(simulate({ ...rate, queue: { limit: 19 } }, sentNs, BYTES), PACKETS);
      expect(own).toHaveLength(theirs.length);
      // A packet that comes while another one leaves is the next one there, for the guest takes time to route it.
      expect(Math.max(...own.map((number, index) => Math.abs(number - theirs[index]!)))).toBeLessThanOrEqual(
        1,
      );
    },
  );

  test.each(["codel", "fq_codel"])(
    "%s drops at the same times, but for Linux's second one: its first step of Newton's method gives 1/2 for the square root of 1/2",
    (discipline) => {
      const theirs = lost(passed.get(discipline)!.arrived, PACKETS);
      const own = lost(simulate({ rate: SHAPED, queue: { discipline, ...CODEL } }, sentNs, BYTES), PACKETS);
      expect(own.slice(0, 2)).toEqual(theirs.slice(0, 2));
      const gaps = (drops: readonly number[]) =>
        drops.slice(1).map((number, index) => number - drops[index]!);
      const [there, here] = [gaps(theirs), gaps(own)];
      // RFC 8289, 3.3: the second gap is 100 ms / sqrt(2), which is 54 packets at 6 Mb/s; half of it is 38.
      expect([here[1], there[1]]).toEqual([54, 38]);
      const rest = here.slice(2, there.length).map((gap, index) => Math.abs(gap - there[index + 2]!));
      expect(rest.length).toBeGreaterThan(80);
      expect(Math.max(...rest.slice(0, 3))).toBeLessThanOrEqual(5);
      expect(Math.max(...rest.slice(3))).toBeLessThanOrEqual(2);
    },
  );

  test("RED drops as many packets, in the same part of its curve", () => {
    const red = { discipline: "red", min: 10_000, max: 30_000, probability: "10%", weight: 1 / 16 };
    const { arrived } = passed.get("red")!;
    const theirs = lost(arrived, PACKETS);
    const own = simulate({ rate: SHAPED, queue: { ...red, limit_bytes: 400_000 } }, sentNs, BYTES);
    expect(Math.abs(lost(own, PACKETS).length - theirs.length)).toBeLessThan(theirs.length / 20);
    const waits = (seen: readonly Seen[]) => measure(sentNs, seen)["mean ms"];
    expect(waits(own) / waits(arrived)).toBeCloseTo(1, 1);
  });
});

describe.skipIf(!hasImage)("netem's chances (skipped without the image: wirelab image build debian)", () => {
  const PACKETS = 3_000;
  const sentNs = evenly(PACKETS, INTERVAL_NS);
  const random = drawn(
    CASES.filter(({ tc }) => /loss|duplicate|distribution|5ms|reorder|slot/.test(tc)),
    draw,
  );
  const CORRELATED = "loss random 20% 30%";
  const passed = new Map<string, Passed>();
  beforeAll(() => {
    const results = throughGuest(random.map(({ tc }) => ({ commands: netem(tc), sentNs, bytes: BYTES })));
    for (const [index, { tc }] of random.entries()) passed.set(tc, results[index]!);
  }, 300_000);

  /** In whole milliseconds: the guest's own time for a packet is some microseconds. */
  const delays = (seen: readonly Seen[]) =>
    seen.map(({ number, atNs }) => Math.round((atNs - sentNs[number]!) / 1e6)).sort((a, b) => a - b);

  test.each(random.filter(({ tc }) => tc !== CORRELATED))(
    `$name: the same, as far as chance allows${draw.note}`,
    ({ tc, ours }) => {
      const { arrived } = passed.get(tc)!;
      const own = simulate(ours, sentNs, BYTES);
      const [theirs, here] = [measure(sentNs, arrived), measure(sentNs, own)];
      for (const share of ["lost %", "copied %"] as const) {
        const chance = (theirs[share] + here[share]) / 200;
        // Losses in bursts spread wider, by the length of a burst.
        const burst = Math.max(1, theirs.burst, here.burst);
        const deviation = 100 * Math.sqrt((2 * burst * burst * chance * (1 - chance)) / PACKETS);
        expect(Math.abs(theirs[share] - here[share])).toBeLessThanOrEqual(3.3 * deviation);
      }
      expect(Math.abs(theirs.burst - here.burst)).toBeLessThanOrEqual(0.25 * here.burst);
      if (theirs["deviation ms"] > 1) expect(largestGap(delays(arrived), delays(own))).toBeLessThan(0.05);
    },
  );

  test.each(random.filter(({ tc }) => tc === CORRELATED))(
    "netem's correlation changes the loss that is set; here it stays",
    ({ ours }) => {
      expect(measure(sentNs, passed.get(CORRELATED)!.arrived)["lost %"]).toBeLessThan(10);
      expect(Math.abs(measure(sentNs, simulate(ours, sentNs, BYTES))["lost %"] - 20)).toBeLessThan(3.3);
    },
  );
});

/** Returns the distance of two sorted samples (Kolmogorov, Smirnov): 0.05 for 3,000 values each is a false alarm of 1 in 1,000. */
function largestGap(first: readonly number[], second: readonly number[]): number {
  const share = (sorted: readonly number[], value: number) =>
    (sorted.findLastIndex((each) => each <= value) + 1) / sorted.length;
  const values = [...new Set([...first, ...second])];
  return Math.max(...values.map((value) => Math.abs(share(first, value) - share(second, value))));
}
