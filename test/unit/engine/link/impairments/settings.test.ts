import { compileFilter } from "@wirelab/engine/bpf/index";
import { PRESETS, parseImpairments } from "@wirelab/engine/link/impairments/index";
import { describe, expect, test } from "vitest";
import {
  parseChancePpb,
  parseRateBps,
  parseSizeBytes,
  parseTimeNs,
} from "../../../../../packages/engine/link/impairments/settings/quantities.ts";
import { compiled } from "./harness.ts";

const problems = (input: unknown): string[] => {
  const result = parseImpairments(input, { compileBpf: (text) => compileFilter(text) });
  return result.ok ? [] : result.problems.map(({ path, message }) => `${path.join(".")} ${message}`);
};

describe("quantities are exact", () => {
  test.each([
    ["12.5ms", 12_500_000],
    ["0.001us", 1],
    ["1s", 1_000_000_000],
    [20, 20_000_000],
    ["1e-6 ms", 1],
    ["0.5ns", undefined],
    ["fast", undefined],
    ["", undefined],
  ])("time %s", (text, ns) => expect(parseTimeNs(text)).toBe(ns));

  test.each([
    ["0.0000001%", 1],
    ["33.3333333%", 333_333_333],
    [1, 10_000_000],
    ["0.00000001%", undefined],
  ])("chance %s", (text, ppb) => expect(parseChancePpb(text)).toBe(ppb));

  test.each([
    ["10mbit", 10_000_000],
    ["1.5Mbit", 1_500_000],
    [64_000, 64_000],
    ["10mbps", undefined],
  ])("rate %s", (text, bits) => expect(parseRateBps(text)).toBe(bits));

  test.each([
    ["32kB", 32_000],
    ["2KiB", 2_048],
    [1_500, 1_500],
  ])("size %s", (text, bytes) => expect(parseSizeBytes(text)).toBe(bytes));
});

describe("parseImpairments", () => {
  test("gives a direction what both has, except for what it names itself", () => {
    const { initial } = compiled({ loss: "2%", delay: null }, { both: { delay: "1ms", loss: "1%" } });
    expect(initial["a-to-b"]).toEqual({
      loss: { random: { chance: 20_000_000, correlation: 0 }, ecn: false },
    });
    expect(initial["b-to-a"]).toMatchObject({
      delay: { delay: 1_000_000 },
      loss: { random: { chance: 10_000_000 } },
    });
  });

  test.each([
    [[], " must be an object, got []."],
    [{ a: 1 }, "a is unknown; there are preset, both, a_to_b, b_to_a, carrier, schedule, repeat."],
    [{ both: 1 }, "both must be an object of impairments, got 1."],
    [
      { both: { delay: "1h1" } },
      'both.delay.delay must be a time such as 20ms or 12.5us, in whole nanoseconds; a number alone is milliseconds, from 0ms to 3600000ms; got "1h1".',
    ],
    [
      { both: { loss: 120 } },
      "both.loss.random.chance must be a percentage in steps of 0.0000001%, from 0% to 100%; got 120.",
    ],
    [
      { both: { delay: { dely: 1 } } },
      "both.delay.dely is unknown; there are delay, jitter, distribution, table, correlation, keep_order.",
    ],
    [{ both: { duplicate: {} } }, "both.duplicate.chance is required."],
    [
      { both: { rate: "0bit" } },
      'both.rate.rate must be a rate such as 10mbit; a number alone is bits a second, from 1bit to 1000000000000bit; got "0bit".',
    ],
    [{ both: { rate: {} } }, "both.rate.rate is required, unless there are opportunities."],
    [{ both: { rate: { rate: 8, peak_rate: 9 } } }, "both.rate.peak_rate needs a burst."],
    [
      { both: { rate: { rate: 8, burst: 9, peak_rate: 7 } } },
      "both.rate.peak_rate must not be less than rate.",
    ],
    [
      { both: { rate: { opportunities: "2\n1" } } },
      "both.rate.opportunities must be a mahimahi trace: 1 to 200000 times in milliseconds, in ascending order, the last above 0.",
    ],
    [
      { both: { queue: { discipline: "sfq" } } },
      'both.queue.discipline must be one of drop_tail, red, codel, fq_codel, got "sfq".',
    ],
    [{ both: { queue: { discipline: "red", min: 9, max: 9 } } }, "both.queue.max must be above min."],
    [
      { both: { slots: { min_delay: 2, max_delay: 1 } } },
      "both.slots.max_delay must not be less than min_delay.",
    ],
    [{ both: { mtu: 67 } }, "both.mtu.bytes must be an integer, from 68 to 65535; got 67."],
    [{ both: { mtu: { larger: "icmp" } } }, "both.mtu.bytes is required."],
    [
      { both: { mtu: { bytes: 1400, larger: "cut" } } },
      'both.mtu.larger must be one of drop, icmp, got "cut".',
    ],
    [{ both: { slots: 0 } }, "both.slots.max_delay must be above 0."],
    [
      { both: { delay: { distribution: "table" } } },
      "both.delay.table goes with distribution table, and only with it.",
    ],
    [
      { both: { delay: { distribution: "table", table: [1.5] } } },
      "both.delay.table must be a distribution in netem's format: 1 to 65536 integers from -32768 to 32767.",
    ],
    [
      { both: { loss: { markov: { p13: 60, p14: 60 } } } },
      "both.loss.markov must have p13 + p14 of at most 100%.",
    ],
    [
      { both: { loss: { markov: { p13: 60, p31: 60, p32: 60 } } } },
      "both.loss.markov must have p31 + p32 of at most 100%.",
    ],
    [
      { both: { loss: { listed: ["3-2"] } } },
      'both.loss.listed must be a list of packet numbers or ranges "10-12", got ["3-2"].',
    ],
    [{ both: { broken: 1 } }, "both.broken must be true or false, got 1."],
    [
      { both: { drop: "icmp and" } },
      'both.drop at line 1, column 9: the expression ends too early; expected a protocol, a qualifier, a comparison, "not" or "(".',
    ],
    [{ both: { drop: " " } }, "both.drop must have an expression."],
    [
      { both: { jitter: 1 } },
      "both.jitter is no impairment; there are broken, drop, mtu, loss, bit_error_rate, duplicate, corrupt, rate, queue, delay, reorder, slots.",
    ],
    [{ carrier: "on" }, 'carrier must be up or down, got "on".'],
    [
      { preset: "2g" },
      'preset must be one of 3g, lte, 5g, dsl, cable, wifi-busy, geo-satellite, leo-satellite, transatlantic, lossy-vpn, got "2g".',
    ],
    [{ schedule: 1 }, "schedule must be a list of changes, got 1."],
    [{ repeat: "1s" }, "repeat needs a schedule."],
    [{ schedule: [{}] }, "schedule.0 must have one of set, flap and csv."],
    [{ schedule: [3] }, "schedule.0 must be an object, got 3."],
    [
      { schedule: [{ at: -1, set: {} }] },
      "schedule.0.at must be a time such as 20ms or 12.5us, in whole nanoseconds; a number alone is milliseconds, from 0ms to 8985600000ms; got -1.",
    ],
    [
      { schedule: [{ set: { both: { loss: -1 } } }] },
      "schedule.0.set.both.loss.random.chance must be a percentage in steps of 0.0000001%, from 0% to 100%; got -1.",
    ],
    [
      { schedule: [{ at: "2s", set: {} }], repeat: "2s" },
      "repeat must be longer than the time of the last change.",
    ],
    [
      { schedule: [{ over: "1h", every: "1ms", set: {} }] },
      "schedule.0.every makes more than 100000 changes.",
    ],
    [
      { schedule: [{ flap: { down: "1s", times: 0 } }] },
      "schedule.0.flap.times must be an integer from 1 to 10000, got 0.",
    ],
    [{ schedule: [{ flap: 1 }] }, "schedule.0.flap must be an object of down, up and times, got 1."],
    [
      { schedule: [{ csv: "rate\n1" }] },
      "schedule.0.csv must begin with a line that names the columns, time and some of rate, delay, jitter, loss.",
    ],
    [{ schedule: [{ csv: "time,rate\n1" }] }, "schedule.0.csv.1 must have 2 cells, got 1."],
    [{ schedule: [{ csv: "time,rate" }] }, "schedule.0.csv must have 1 to 100000 rows."],
    [{ schedule: [{ csv: 1 }] }, "schedule.0.csv must be text, got 1."],
    [
      { schedule: [{ csv: "time,loss\n0,1", direction: "up" }] },
      'schedule.0.direction must be one of both, a_to_b, b_to_a, got "up".',
    ],
  ])("rejects %j", (input, message) => expect(problems(input)).toContain(message));

  test("rejects drop without a compiler", () => {
    expect(parseImpairments({ both: { drop: "icmp" } })).toMatchObject({ ok: false });
  });

  test("accepts every preset", () => {
    for (const preset of Object.keys(PRESETS)) expect(problems({ preset })).toEqual([]);
  });

  test("lets a direction change what a preset has", () => {
    const result = parseImpairments({ preset: "transatlantic", b_to_a: { delay: "1ms" } });
    expect(result).toMatchObject({
      impairments: {
        initial: { "a-to-b": { delay: { delay: 45_000_000 } }, "b-to-a": { delay: { delay: 1_000_000 } } },
      },
    });
  });
});
