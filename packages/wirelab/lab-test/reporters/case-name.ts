/** Names of cases and what failed in words, for the reporters of programs. */
import type { Verdict } from "@wirelab/lab/report/report";
import { formatFailures } from "@wirelab/lab/sweep/failures";
import type { CaseResult, CaseSettings } from "../result.ts";

/** Empty for a lab with its own seed and no failures; else `seed 17, link:wan`. */
export function variationName({ seed, failures }: CaseSettings): string {
  const parts = [
    ...(seed === undefined ? [] : [`seed ${seed}`]),
    ...(failures.length > 0 ? [formatFailures(failures)] : []),
  ];
  return parts.join(", ");
}

export const caseName = (lab: string, settings: CaseSettings): string => {
  const variation = variationName(settings);
  return variation === "" ? lab : `${lab} (${variation})`;
};

/** `expected a reply, got no reply`, and where the packet ended. */
export function explainInWords({ expected, got, evidence }: Verdict): string {
  const death = evidence?.death;
  return `expected ${expected}, got ${got}${death ? `; it ended at ${death.where}: ${death.why}` : ""}`;
}

/** All that is known about a verdict that is not `passed`, a line each. */
export function detailsOf(verdict: Verdict, index: number, { findings }: CaseResult): string[] {
  const finding = findings.find((each) => each.verdict === index);
  return [
    `expected: ${verdict.expected}`,
    `got: ${verdict.got}`,
    ...(verdict.evidence?.packets ?? []).map(
      ({ at, link, from, to, summary, fate }) =>
        `${at.toFixed(6)} s ${link} ${from} -> ${to} ${summary} ${fate}`,
    ),
    ...(verdict.evidence?.death
      ? [`ended: ${verdict.evidence.death.where}: ${verdict.evidence.death.why}`]
      : []),
    ...(finding?.capture ? [`capture: ${finding.capture}`] : []),
    ...(finding ? [`again: ${finding.command}`] : []),
    ...(finding?.shrunk ? ["shrunk:", ...finding.shrunk.yaml.trimEnd().split("\n")] : []),
  ];
}
