/** Reads the failures of a query: `link:wan,node:r1`. */
import type { LabModel } from "@wirelab/lab/model/lab-model";
import { type Failure, formatFailure } from "@wirelab/lab/sweep/failures";
import { invalidRequest } from "../edge/errors.ts";

/** A name may have a comma. */
const BETWEEN = /,(?=(?:link|node):)/;

/** @throws ApiError for what the lab does not have. */
export function readFailures(text: string, { links, nodes }: LabModel): Failure[] {
  const known = new Map(
    [
      ...links.map(({ name }): Failure => ({ kind: "link", name })),
      ...nodes.map(({ name }): Failure => ({ kind: "node", name })),
    ].map((failure) => [formatFailure(failure), failure]),
  );
  return text.split(BETWEEN).map((each) => {
    const failure = known.get(each);
    if (failure) return failure;
    const message = `names no link or node of the lab: ${JSON.stringify(each)}; write link:NAME or node:NAME`;
    throw invalidRequest([{ path: "query.fail", message }]);
  });
}
