/** Suggestions for misspelt names. */

/** Returns the Levenshtein distance of two short texts. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replace = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replace, row[j]! + 1, next[j - 1]! + 1));
    }
    row = next;
  }
  return row[b.length]!;
}

/** Returns ` Did you mean "pc1"?`, or the known names if none is similar and they are few. */
export function suggest(given: string, known: readonly string[]): string {
  const ranked = known
    .map((name) => ({ name, apart: distance(given.toLowerCase(), name.toLowerCase()) }))
    .toSorted((a, b) => a.apart - b.apart);
  const best = ranked[0];
  if (best !== undefined && best.apart <= Math.ceil(given.length / 3)) {
    return ` Did you mean ${JSON.stringify(best.name)}?`;
  }
  const LIST_MAX = 24;
  return known.length > 0 && known.length <= LIST_MAX ? ` Expected one of: ${known.join(", ")}.` : "";
}
