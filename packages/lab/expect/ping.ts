/** `ping`: statistics of several probes. */
import { type Comparison, holds } from "../model/comparison.ts";
import type { PingMeasure } from "../model/expectation.ts";
import { type Reply, ping as sendPing } from "../play/probe.ts";
import { type MakeCheck, passes } from "./check.ts";
import { explainProbe } from "./probes.ts";

type Numbers = Readonly<Record<PingMeasure, number | undefined>>;

export const ping: MakeCheck<"ping"> = ({ probe, count, intervalMs, sizeBytes, measures }, { atNs }) => ({
  momentNs: atNs,
  probes: true,
  judge(played) {
    const options = { atNs, count, intervalMs, sizeBytes };
    const result = sendPing(played, probe, options);
    const wanted: Readonly<Partial<Record<PingMeasure, Comparison>>> =
      Object.keys(measures).length === 0 ? { lost: { operator: "=", value: 0, text: "0" } } : measures;
    const entries = Object.entries(wanted) as [PingMeasure, Comparison][];
    const numbers = measure(result.replies, count);
    const isTrue = entries.every(([key, comparison]) => isMet(key, comparison, numbers, count));
    const expected = entries.map(([key, { text }]) => `${key} ${text}`).join(", ");
    if (result.obstacle) return { status: "failed", expected, got: result.obstacle };
    if (result.limit)
      return { status: "undecided", expected, got: `the run reached its limit of ${result.limit}` };
    const got = entries.map(([key]) => `${key} ${show(key, numbers[key], count)}`).join(", ");
    return {
      status: passes(isTrue),
      expected,
      got,
      ...(!isTrue && {
        evidence: {
          ...explainProbe(played, probe, options),
          // All were answered: what failed is a time.
          ...(numbers.lost === 0 && { death: undefined }),
        },
      }),
    };
  },
});

function isMet(key: PingMeasure, comparison: Comparison, numbers: Numbers, count: number): boolean {
  const number = numbers[key];
  // Without a reply there is no time, so no statement about times holds.
  if (number === undefined) return false;
  const isShare = key === "lost" && comparison.text.includes("%");
  return holds(comparison, isShare ? number / count : number);
}

const show = (key: PingMeasure, number: number | undefined, count: number): string => {
  if (number === undefined) return "unknown: no reply";
  if (key === "lost") return `${number} of ${count}`;
  return key === "duplicates" ? String(number) : `${number}ms`;
};

function measure(replies: readonly Reply[], count: number): Numbers {
  const first = new Map<number, number>();
  for (const { sequence, ms } of replies) if (!first.has(sequence)) first.set(sequence, ms);
  const sorted = [...first.values()].toSorted((a, b) => a - b);
  const percentile = (percent: number) => sorted[Math.ceil((percent * sorted.length) / 100) - 1];
  const sum = sorted.reduce((total, ms) => total + ms, 0);
  return {
    lost: count - first.size,
    duplicates: replies.length - first.size,
    min: sorted[0],
    mean: sorted.length === 0 ? undefined : Number((sum / sorted.length).toFixed(3)),
    p50: percentile(50),
    p90: percentile(90),
    p99: percentile(99),
    max: sorted.at(-1),
  };
}
