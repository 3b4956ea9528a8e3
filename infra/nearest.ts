/** What a mistyped name was meant to be. */

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

/** Returns the Levenshtein distance. `row` has the distances of a prefix of `from` to all prefixes of `to`. */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (const [index, letter] of [...from].entries()) {
    const next = [index + 1];
    for (let column = 1; column <= to.length; column++) {
      const replaced = row[column - 1]! + (letter === to[column - 1] ? 0 : 1);
      next.push(Math.min(replaced, row[column]! + 1, next[column - 1]! + 1));
    }
    row = next;
  }
  return row[to.length]!;
}
