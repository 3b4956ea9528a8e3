/** What the service does not play, although `wirelab test` does. */
import type { LabModel } from "@wirelab/lab/model/lab-model";
import { invalidRequest } from "../shared/edge/errors.ts";
import { figure, QUOTAS } from "../shared/edge/figures.ts";

/** Rejects what a service that others use as well cannot do for a caller. */
export function refuseForService(model: LabModel): void {
  for (const kind of ["nodes", "links"] as const) {
    const limit = figure(QUOTAS, `quota_${kind}`);
    const { length } = model[kind];
    if (length > limit) {
      throw invalidRequest([{ path: `body.${kind}`, message: `has ${length}; the limit is ${limit}` }]);
    }
  }
  for (const { claim, place } of model.expectations) {
    // A pattern can take any time on a long text.
    if (claim.kind !== "console" || !claim.isPattern) continue;
    const path = place ? `body:${place.line}:${place.column}` : "body";
    throw invalidRequest([{ path, message: "matches is not available in the service; use contains" }]);
  }
}
