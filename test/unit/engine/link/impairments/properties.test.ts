import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Sent, sendThrough, stream } from "./harness.ts";

const MS = 1_000_000;

const option = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const percent = fc.integer({ min: 0, max: 100 });

const impairments = fc.record({
  loss: option(fc.record({ random: option(percent), gilbert_elliott: option(percent), ecn: fc.boolean() })),
  duplicate: option(percent),
  corrupt: option(fc.record({ chance: percent, crc: fc.constantFrom("deliver", "drop") })),
  rate: option(
    fc.constantFrom<object>(
      { rate: "1mbit" },
      { rate: "300kbit", burst: 3_000 },
      { opportunities: [1, 2, 9] },
    ),
  ),
  queue: option(
    fc.record({
      discipline: fc.constantFrom("drop_tail", "red", "codel", "fq_codel"),
      limit: fc.integer({ min: 1, max: 50 }),
      target: fc.constant("1ms"),
      interval: fc.constant("5ms"),
      min: fc.constant(500),
      max: fc.constant(3_000),
    }),
  ),
  delay: option(fc.record({ delay: percent, jitter: percent, keep_order: fc.boolean() })),
  reorder: option(percent),
  slots: option(fc.record({ min_delay: fc.constant(1), max_delay: fc.constant(5), packets: percent })),
});

const traffic = fc
  .array(fc.tuple(fc.integer({ min: 0, max: 2 * MS }), fc.integer({ min: 1, max: 1_500 })), {
    maxLength: 150,
  })
  .map((list) => {
    let atNs = 0;
    return list.map(([gapNs, bytes]): Sent => {
      atNs += gapNs;
      return { atNs, bytes };
    });
  });

const defined = (settings: object): object => JSON.parse(JSON.stringify(settings)) as object;

describe("always", () => {
  test("entered + duplicated = delivered + lost, and arrivals are in order of time", () => {
    fc.assert(
      fc.property(impairments, traffic, (settings, sent) => {
        const { arrived, lost, report } = sendThrough(defined(settings), sent);
        // A copy that `corrupt` drops is lost without a call.
        const counted = report.counts.reduce((sum, { dropped }) => sum + dropped, 0);
        expect(sent.length + report.duplicated.packets).toBe(arrived.length + counted);
        expect(lost.length).toBeLessThanOrEqual(counted);
        for (const [index, { atNs, number }] of arrived.entries()) {
          expect(atNs).toBeGreaterThanOrEqual(arrived[index - 1]?.atNs ?? 0);
          expect(atNs).toBeGreaterThanOrEqual(sent[number - 1]!.atNs);
          expect(Number.isSafeInteger(atNs)).toBe(true);
        }
      }),
      { seed: 15, numRuns: 300 },
    );
  });

  test("a run in two parts delivers what one run delivers, at the same times", () => {
    fc.assert(
      fc.property(impairments, traffic, fc.integer({ min: 0, max: 150 }), (settings, sent, at) => {
        const kept = sent.slice(0, 60).map(({ atNs, bytes = 0 }) => ({ atNs, bytes: Math.min(bytes, 200) }));
        const cut = Math.min(at, kept.length);
        // The cut is at a millisecond between two packets; packets of its nanosecond are of the second part.
        const cutMs = Math.ceil((kept[cut]?.atNs ?? kept.at(-1)?.atNs ?? 0) / MS);
        const before = kept.filter(({ atNs }) => atNs < cutMs * MS);
        const whole = sendThrough(defined(settings), kept);
        const first = sendThrough(defined(settings), before, { untilNs: cutMs * MS });
        const after = kept
          .slice(before.length)
          .map(({ atNs, bytes }) => ({ atNs: atNs - cutMs * MS, bytes }));
        const second = sendThrough(defined(settings), after, {
          state: structuredClone(first.state),
          startUs: cutMs * 1_000,
        });
        const times = [
          ...first.arrived.map(({ atNs }) => atNs),
          ...second.arrived.map(({ atNs }) => atNs + cutMs * MS),
        ];
        expect(times).toEqual(whole.arrived.map(({ atNs }) => atNs));
      }),
      { seed: 16, numRuns: 300 },
    );
  });

  test("serialization takes 8 * bytes / rate, exactly, with fractions carried over", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1_000_000_000 }),
        fc.array(fc.integer({ min: 1, max: 9_000 }), { minLength: 1, maxLength: 30 }),
        (rate, sizes) => {
          const { arrived } = sendThrough(
            { rate },
            sizes.map((bytes) => ({ atNs: 0, bytes })),
          );
          let bits = 0n;
          const exact = sizes.map((bytes) => {
            bits += 8n * BigInt(bytes);
            return Number((bits * 1_000_000_000n) / BigInt(rate));
          });
          expect(arrived.map(({ atNs }) => atNs)).toEqual(exact);
        },
      ),
      { seed: 17 },
    );
  });

  test("a token bucket never lets more than the burst and the rate pass, and no packet wait without need", () => {
    const [rate, burst] = [800_000, 3_000];
    fc.assert(
      fc.property(traffic, (sent) => {
        const { arrived } = sendThrough({ rate: { rate, burst } }, sent);
        let tokens = burst;
        let lastNs = 0;
        let freeNs = 0;
        for (const { number, atNs } of arrived) {
          const { atNs: enteredNs, bytes = 0 } = sent[number - 1]!;
          const tokensAt = (ns: number) => Math.min(burst, tokens + ((ns - lastNs) * rate) / 8e9);
          expect(tokensAt(atNs)).toBeGreaterThan(bytes - 1e-3);
          const waits = atNs > Math.max(enteredNs, freeNs);
          if (waits) expect(tokensAt(atNs - 1)).toBeLessThan(bytes);
          tokens = tokensAt(atNs) - bytes;
          [lastNs, freeNs] = [atNs, atNs];
        }
      }),
      { seed: 18 },
    );
  });
});

describe("switching an impairment on", () => {
  const base = {
    loss: { random: "20%", gilbert_elliott: { p: "10%", r: "50%" } },
    duplicate: "20%",
    corrupt: "20%",
    delay: { delay: 50, jitter: 40, correlation: "30%" },
    reorder: "10%",
  };
  const sent = stream(400, MS);
  /** The fate of each packet as far as an impairment decides it. */
  const seenBy = (settings: object) => {
    const { arrived, lost } = sendThrough(settings, sent);
    return {
      lost: new Map(lost.map(({ number, reason }) => [number, reason])),
      arrived: new Map(arrived.map((each) => [`${each.number}`, each])),
    };
  };

  test.each([
    ["loss.markov", { loss: { ...base.loss, markov: { p13: "10%", p31: "40%" } } }],
    ["loss.listed", { loss: { ...base.loss, listed: ["1-200"] } }],
    ["bit errors", { bit_error_rate: 1e-4 }],
    ["a correlation of losses", { loss: { ...base.loss, random: { chance: "20%", correlation: "50%" } } }],
  ])("%s: packets that it does not lose are delayed and damaged as before", (_name, more) => {
    const without = { ...base, duplicate: undefined };
    const before = seenBy(defined(without));
    const after = seenBy(defined({ ...without, ...more }));
    let compared = 0;
    for (const [number, each] of after.arrived) {
      const same = before.arrived.get(number);
      if (same === undefined) continue;
      expect({ atNs: each.atNs, data: each.data }).toEqual({ atNs: same.atNs, data: same.data });
      compared += 1;
    }
    expect(compared).toBeGreaterThan(50);
  });

  test("duplicate: the originals are delayed, damaged and lost as before", () => {
    const { duplicate: _, ...without } = base;
    const before = sendThrough(without, sent);
    const after = sendThrough(base, sent);
    expect(after.lost).toEqual(before.lost);
    for (const { number, atNs, data } of before.arrived)
      expect(after.arrived).toContainEqual({ number, atNs, data });
  });

  test("the two directions, two links and two seeds draw differently", () => {
    const one = sendThrough({ loss: "50%" }, sent).lost.map(({ number }) => number);
    const other = sendThrough({ loss: "50%" }, sent, { seed: "2" }).lost.map(({ number }) => number);
    expect(one).not.toEqual(other);
  });
});
