/** Sorted, disjoint ranges of positions: what a receiver has beyond a gap. */

/** The first position, and the first after the range. */
export type Range = [start: number, end: number];

/** Adds a range. @returns the merged range that contains it, and whether anything in it is new. */
export function addRange(
  ranges: Range[],
  start: number,
  end: number,
): { readonly merged: Range; readonly isNew: boolean } {
  let first = 0;
  while (first < ranges.length && ranges[first]![1] < start) first += 1;
  let last = first;
  while (last < ranges.length && ranges[last]![0] <= end) last += 1;
  const touched = ranges.slice(first, last);
  const isNew = !(touched.length === 1 && touched[0]![0] <= start && touched[0]![1] >= end);
  const merged: Range = [
    Math.min(start, touched[0]?.[0] ?? start),
    Math.max(end, touched.at(-1)?.[1] ?? end),
  ];
  ranges.splice(first, last - first, merged);
  return { merged, isNew };
}

/** Removes everything before a position. */
export function removeBefore(ranges: Range[], position: number): void {
  while (ranges.length > 0 && ranges[0]![1] <= position) ranges.shift();
  if (ranges.length > 0 && ranges[0]![0] < position) ranges[0]![0] = position;
}

/** Returns how many positions of [start, end) are in no range. */
export function uncovered(ranges: readonly Range[], start: number, end: number): number {
  if (end <= start) return 0;
  let covered = 0;
  for (const [from, to] of ranges) {
    if (from >= end) break;
    covered += Math.max(0, Math.min(to, end) - Math.max(from, start));
  }
  return end - start - covered;
}

/** Whether a position is in a range. */
export function covers(ranges: readonly Range[], position: number): boolean {
  let low = 0;
  let high = ranges.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ranges[middle]![1] <= position) low = middle + 1;
    else high = middle;
  }
  return low < ranges.length && ranges[low]![0] <= position;
}

/** Removes [start, end) from the ranges. */
export function removeRange(ranges: Range[], start: number, end: number): void {
  const rest = ranges.flatMap(([from, to]): Range[] => [
    ...(from < Math.min(to, start) ? [[from, Math.min(to, start)] as Range] : []),
    ...(Math.max(from, end) < to ? [[Math.max(from, end), to] as Range] : []),
  ]);
  ranges.splice(0, ranges.length, ...rest);
}

/** Returns the first gap from `start` on that neither list covers; it may have no end. */
export function nextGap(a: readonly Range[], b: readonly Range[], start: number): Range {
  let at = start;
  for (let i = 0, j = 0; ; ) {
    while (i < a.length && a[i]![1] <= at) i += 1;
    while (j < b.length && b[j]![1] <= at) j += 1;
    const [fromA, toA] = a[i] ?? NO_RANGE;
    const [fromB, toB] = b[j] ?? NO_RANGE;
    if (fromA <= at) at = toA;
    else if (fromB <= at) at = toB;
    else return [at, Math.min(fromA, fromB)];
  }
}

const NO_RANGE: Range = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
