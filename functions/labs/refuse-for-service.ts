/** What the service does not play, although `wirelab test` does. */
import type { LabModel } from "@wirelab/lab/model/lab-model";
import type { Place } from "@wirelab/lab/model/place";
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
  const wanted = model.nodes.flatMap(({ name, collect = [] }) =>
    collect.map(({ place }) => ({ name, place })),
  );
  if (wanted.length > 0) {
    throw invalidRequest(
      wanted.map(({ name, place }) => ({
        path: pathOf(place),
        message: `nodes.${name}.collect is not available in the service; wirelab test keeps files, without --url`,
      })),
    );
  }
  for (const { claim, place } of model.expectations) {
    // A pattern can take any time on a long text.
    if (claim.kind !== "console" || !claim.isPattern) continue;
    throw invalidRequest([
      { path: pathOf(place), message: "matches is not available in the service; use contains" },
    ]);
  }
}

const pathOf = (place: Place | undefined): string => (place ? `body:${place.line}:${place.column}` : "body");
