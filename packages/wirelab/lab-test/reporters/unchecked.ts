/** In words, what no verdict of a lab is about, and the protocols that still changed. */
import type { CaseResult } from "../result.ts";

const SHOWN_LINES = 50;

export function describeUnchecked(cases: readonly Pick<CaseResult, "report">[]): string[] {
  const all = [...new Set(cases.flatMap(({ report }) => report.unchecked ?? []))];
  const unsettled = [...new Set(cases.flatMap(({ report }) => report.unsettled ?? []))];
  const more = all.length - SHOWN_LINES;
  return [
    ...unsettled.slice(0, SHOWN_LINES),
    ...all.slice(0, SHOWN_LINES).map((text) => `not checked: ${text}`),
    ...(more > 0 ? [`not checked: ${more} more lines`] : []),
  ];
}
