/** `reach`: a probe from one node to another is answered. */
import type { Probe } from "../model/expectation.ts";
import { formatDuration } from "../model/quantity.ts";
import { type PingResult, ping } from "../play/probe.ts";
import { type MakeCheck, type Outcome, passes } from "./check.ts";
import { explainProbe } from "./probes.ts";

export const reach: MakeCheck<"reach"> = ({ probes, tries }, { atNs, withinNs, isNegated }) => ({
  momentNs: atNs,
  probes: true,
  judge(played) {
    const options = { atNs, ...(withinNs === undefined ? { tries } : { untilNs: withinNs }) };
    const results: Tried[] = [];
    for (const probe of probes) {
      const result = ping(played, probe, options);
      results.push({ probe, result });
      // The others would meet it as well.
      if (result.limit === "cpu_seconds") break;
    }
    const answered = results.filter(({ result }) => isAnswered(result, withinNs));
    const others = results.filter(({ result }) => !isAnswered(result, withinNs));
    const limit = results.find(({ result }) => result.limit !== undefined)?.result.limit;
    const expected =
      withinNs === undefined
        ? `a reply in ${tries === 1 ? "1 try" : `${tries} tries`}`
        : `a reply within ${formatDuration(withinNs)}`;
    const isDecided = limit === undefined || (isNegated ? answered.length > 0 : others.length === 0);
    const base: Outcome = {
      status: isDecided ? passes(isNegated ? answered.length > 0 : others.length === 0) : "undecided",
      expected,
      got: isDecided
        ? describe(isNegated ? answered : others, results.length, isNegated)
        : `the run reached its limit of ${limit}`,
    };
    const [wrong] = isNegated ? answered : others;
    return wrong === undefined || played.isOutOfTime?.()
      ? base
      : { ...base, evidence: explainProbe(played, wrong.probe, options) };
  },
});

const isAnswered = ({ replies: [first] }: PingResult, withinNs: number | undefined): boolean =>
  first !== undefined && (withinNs === undefined || first.atNs <= withinNs);

interface Tried {
  readonly probe: Probe;
  readonly result: PingResult;
}

const SHOWN_PAIRS = 3;

/** @param those the pairs that decide: without an answer, or with one if the expectation is negated. */
function describe(those: readonly Tried[], count: number, isNegated: boolean): string {
  if (those.length === 0) return isNegated ? "no reply" : "a reply";
  const pairs = those
    .slice(0, SHOWN_PAIRS)
    .map(({ probe, result }) =>
      count === 1 ? reason(result) : `${probe.from} -> ${probe.to}: ${reason(result)}`,
    );
  const more = those.length > SHOWN_PAIRS ? `, and ${those.length - SHOWN_PAIRS} more` : "";
  return count === 1 ? pairs[0]! : `${those.length} of ${count} pairs: ${pairs.join(", ")}${more}`;
}

const reason = ({ obstacle, replies: [first] }: PingResult): string =>
  obstacle ?? (first === undefined ? "no reply" : `a reply after ${formatDuration(first.atNs)}`);
