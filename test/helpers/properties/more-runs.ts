/** fast-check with more runs for each property, also for those that name their number. */
import type * as FastCheck from "fast-check";

const DEFAULT_RUNS = 100;

export function withMoreRuns(real: typeof FastCheck, factor: number): typeof FastCheck {
  const assert = <Ts>(property: FastCheck.IRawProperty<Ts>, parameters: FastCheck.Parameters<Ts> = {}) => {
    const numRuns = parameters.numRuns ?? real.readConfigureGlobal().numRuns ?? DEFAULT_RUNS;
    return real.assert(property, { ...parameters, numRuns: numRuns * factor });
  };
  const changed = { ...real, assert } as typeof FastCheck;
  return { ...changed, default: changed } as typeof FastCheck;
}
