/** Reads a comparison of an expectation. */
import { shown } from "../file/check-shape.ts";
import { type Comparison, parseComparison } from "../model/comparison.ts";
import type { ClaimContext } from "./claim-context.ts";

export function readComparison(
  value: string | number,
  key: string,
  toNumber: (text: string) => number | undefined,
  { path, problems }: ClaimContext,
): Comparison | undefined {
  const comparison = parseComparison(value, toNumber);
  if (comparison === undefined) {
    problems.add(
      [...path, key],
      `must be a number or a comparison such as "< 10", ">= 3" or 10..20, got ${shown(value)}.`,
    );
  }
  return comparison;
}
