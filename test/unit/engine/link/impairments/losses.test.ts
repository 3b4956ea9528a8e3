import { describe, expect, test } from "vitest";
import { sendThrough, stream } from "./harness.ts";
import { autocorrelation, isUnlikelyBySquares } from "./statistics.ts";

/** Returns 1 for each packet that is lost, 0 for the others. */
function losses(loss: unknown, count: number, seed = "1"): number[] {
  const fates = new Array<number>(count).fill(0);
  for (const { number } of sendThrough({ loss }, stream(count, 1_000), { seed }).lost) fates[number - 1] = 1;
  return fates;
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** Returns the lengths of unbroken runs of losses. */
function bursts(fates: readonly number[]): number[] {
  return fates
    .join("")
    .split("0")
    .map(({ length }) => length)
    .filter((length) => length > 0);
}

describe("random loss", () => {
  test("loses each packet with the chance that is set", () => {
    const fates = losses("3.7%", 200_000);
    const tenths = Array.from({ length: 10 }, (_, tenth) =>
      sum(fates.slice(tenth * 20_000, (tenth + 1) * 20_000)),
    );
    const kept = 200_000 - sum(tenths);
    expect(isUnlikelyBySquares([...tenths, kept], [...tenths.map(() => 740), 192_600])).toBe(false);
    expect(isUnlikelyBySquares([...tenths, kept], [...tenths.map(() => 820), 191_800])).toBe(true);
  });

  test("loses none at 0 and all at 100 %", () => {
    expect(sum(losses(0, 1_000))).toBe(0);
    expect(sum(losses("100%", 1_000))).toBe(1_000);
  });

  test("a correlation changes the order of losses, not their number", () => {
    const fates = losses({ random: { chance: "20%", correlation: "60%" } }, 200_000);
    // Standard error: sqrt(0.2 * 0.8 * (1 + 0.6) / (1 - 0.6) / 200,000) = 0.0018.
    expect(sum(fates) / 200_000).toBeCloseTo(0.2, 2);
    expect(autocorrelation(fates)).toBeCloseTo(0.6, 1);
    expect(autocorrelation(losses("20%", 200_000))).toBeCloseTo(0, 1);
  });
});

describe("Gilbert-Elliott loss", () => {
  test("has the stationary loss of its chain", () => {
    // Bad: p / (p + r) = 1/6. Loss: 1/6 * 0.7 + 5/6 * 0.01. Independent chains, looked at after 100 packets.
    const chance = 0.7 / 6 + 0.05 / 6;
    const loss = { gilbert_elliott: { p: "4%", r: "20%", "1-h": "70%", "1-k": "1%" } };
    let lost = 0;
    for (let seed = 0; seed < 2_000; seed++) lost += losses(loss, 100, String(seed))[99]!;
    expect(isUnlikelyBySquares([lost, 2_000 - lost], [2_000 * chance, 2_000 * (1 - chance)])).toBe(false);
  });

  test("has bursts whose lengths fall geometrically", () => {
    const lengths = bursts(losses({ gilbert_elliott: { p: "5%", r: "40%" } }, 300_000));
    const cells = [1, 2, 3, 4, 5, 6].map((length) => lengths.filter((each) => each === length).length);
    const shares = [1, 2, 3, 4, 5, 6].map((length) => 0.4 * 0.6 ** (length - 1));
    const rest = lengths.length - sum(cells);
    const expected = [...shares, 1 - sum(shares)].map((share) => share * lengths.length);
    expect(isUnlikelyBySquares([...cells, rest], expected)).toBe(false);
  });

  test("is Bernoulli's with only p, as netem's", () => {
    // r is 1 - p by default: the state does not depend on the last one.
    const fates = losses({ gilbert_elliott: { p: "10%" } }, 100_000);
    expect(Math.abs(autocorrelation(fates))).toBeLessThan(3.3 / Math.sqrt(100_000));
  });
});

describe("Markov loss", () => {
  const markov = { p13: "6%", p31: "30%", p32: "20%", p23: "40%", p14: "2%" };

  test("has the stationary loss of its four states", () => {
    // Moves between the states 1 to 4, as the table of the model has them.
    const moves = [
      [0.92, 0, 0.06, 0.02],
      [0, 0.6, 0.4, 0],
      [0.3, 0.2, 0.5, 0],
      [1, 0, 0, 0],
    ];
    let shares = [1, 0, 0, 0];
    for (let step = 0; step < 200; step++)
      shares = [0, 1, 2, 3].map((to) => sum(shares.map((share, from) => share * moves[from]![to]!)));
    const chance = shares[2]! + shares[3]!;
    let lost = 0;
    for (let seed = 0; seed < 2_000; seed++) lost += losses({ markov }, 100, String(seed))[99]!;
    expect(isUnlikelyBySquares([lost, 2_000 - lost], [2_000 * chance, 2_000 * (1 - chance)])).toBe(false);
  });

  test("loses one packet alone in state 4", () => {
    const lengths = bursts(losses({ markov: { p13: 0, p14: "10%" } }, 20_000));
    expect(lengths.length).toBeGreaterThan(1_500);
    expect(new Set(lengths)).toEqual(new Set([1]));
  });
});

test("listed packets are lost, and no others", () => {
  const fates = losses({ listed: [3, "7-9", 8] }, 12);
  expect(fates).toEqual([0, 0, 1, 0, 0, 0, 1, 1, 1, 0, 0, 0]);
});

test("bit errors lose a frame with the chance of one error or more in it", () => {
  for (const bytes of [64, 1_500]) {
    const { lost } = sendThrough({ bit_error_rate: 1e-5 }, stream(100_000, 1_000, bytes));
    const chance = 1 - (1 - 1e-5) ** (8 * bytes);
    const expected = [100_000 * chance, 100_000 * (1 - chance)];
    expect(isUnlikelyBySquares([lost.length, 100_000 - lost.length], expected)).toBe(false);
  }
});

test("all losses together lose the union of what each loses alone", () => {
  const parts = {
    random: "10%",
    gilbert_elliott: { p: "5%", r: "30%" },
    markov: { p13: "5%", p31: "50%" },
    listed: [4, 5],
  };
  const alone = Object.entries(parts).map(([name, value]) => losses({ [name]: value }, 5_000));
  const union = alone[0]!.map((_, index) => Math.max(...alone.map((fates) => fates[index]!)));
  expect(losses(parts, 5_000)).toEqual(union);
});
