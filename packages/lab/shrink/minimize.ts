/** Delta debugging (A. Zeller, R. Hildebrandt: Simplifying and Isolating Failure-Inducing Input, 2002). */

/**
 * Returns a part of a list for which `fails` still holds, in order; without any one of its items it does not hold, unless `fails`
 * has refused to run further. `fails` must hold for the whole list.
 */
export function minimize<T>(items: readonly T[], fails: (part: readonly T[]) => boolean): readonly T[] {
  if (items.length > 0 && fails([])) return [];
  let kept = items;
  let chunks = 2;
  while (kept.length >= 2) {
    const smaller = withoutOneChunk(kept, chunks, fails);
    if (smaller !== undefined) {
      kept = smaller;
      chunks = Math.max(2, chunks - 1);
    } else if (chunks < kept.length) chunks = Math.min(kept.length, 2 * chunks);
    else break;
  }
  return kept;
}

function withoutOneChunk<T>(
  items: readonly T[],
  chunks: number,
  fails: (part: readonly T[]) => boolean,
): readonly T[] | undefined {
  const size = Math.ceil(items.length / chunks);
  for (let from = 0; from < items.length; from += size) {
    const part = [...items.slice(0, from), ...items.slice(from + size)];
    // The empty part has been tried.
    if (part.length > 0 && fails(part)) return part;
  }
  return undefined;
}
