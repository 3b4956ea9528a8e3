/** The cases of a lab: each seed with each combination of failures. */
import type { LabModel } from "@wirelab/lab/model/lab-model";
import { combineFailures, type Failure } from "@wirelab/lab/sweep/failures";
import { findFailure } from "./failure-option.ts";
import type { CaseSettings } from "./result.ts";
import type { TestSettings } from "./settings.ts";

type Variation = Pick<TestSettings, "seed" | "seeds" | "sweep" | "failures" | "hasMatrix">;

/** @throws DataError for a failure of what the lab does not have. */
export function casesOf(model: LabModel, settings: Variation): CaseSettings[] {
  const failures = failuresOf(model, settings);
  return seedsOf(settings).flatMap((seed) => failures.map((each) => ({ seed, failures: each })));
}

const seedsOf = ({ seed, seeds }: Variation): (string | undefined)[] =>
  seeds === undefined ? [seed] : Array.from({ length: seeds }, (_, index) => String(index + 1));

function failuresOf(model: LabModel, { sweep, failures, hasMatrix }: Variation): Failure[][] {
  if (sweep) return combineFailures(model, sweep);
  if (failures.length > 0) return [failures.map((text) => findFailure(model, text))];
  // A matrix has little to show without failures.
  return combineFailures(model, hasMatrix ? { links: 1 } : {});
}
