/** In words, what no verdict of a lab is about. */
import type { CaseResult } from "../result.ts";

const SHOWN_LINES = 50;

export function describeUnchecked(cases: readonly Pick<CaseResult, "report">[]): string[] {
  const all = [...new Set(cases.flatMap(({ report }) => report.unchecked ?? []))];
  const more = all.length - SHOWN_LINES;
  return [
    ...all.slice(0, SHOWN_LINES).map((text) => `not checked: ${text}`),
    ...(more > 0 ? [`not checked: ${more} more lines`] : []),
  ];
}
