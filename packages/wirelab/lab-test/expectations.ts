/** The expectations of a case. */
import type { Expectation } from "@wirelab/lab/model/expectation";
import type { LabModel } from "@wirelab/lab/model/lab-model";
import type { CaseSettings } from "./result.ts";

/** In the order of the case's verdicts. A digest is that of the file's own seed without failures. */
export function expectationsOf(
  { expectations }: LabModel,
  { seed, failures }: CaseSettings,
): readonly Expectation[] {
  const isOwn = seed === undefined && failures.length === 0;
  return isOwn ? expectations : expectations.filter(({ claim }) => claim.kind !== "digest");
}
