/** What a mistyped name was meant to be. */
import { editDistance } from "@wirelab/lab/file/edit-distance";

/** A suggestion differs from the given name by at most this number of edits. */
const MOST_EDITS = 2;

/** Returns `; is X meant?` for the candidate that is most like the given name, or an empty text if none is. */
export function suggest(given: string, candidates: Iterable<string>): string {
  const [nearest] = [...candidates]
    .map((known) => ({ known, edits: editDistance(given, known) }))
    .filter(({ edits }) => edits <= MOST_EDITS)
    .toSorted((a, b) => a.edits - b.edits);
  return nearest === undefined ? "" : `; is ${nearest.known} meant?`;
}
