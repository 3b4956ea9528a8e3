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

/** Returns the first part of [start, end) that is in a range. */
export function firstCovered(ranges: readonly Range[], start: number, end: number): Range | undefined {
  const range = ranges.find((each) => each[1] > start);
  if (range === undefined || range[0] >= end) return undefined;
  return [Math.max(start, range[0]), Math.min(end, range[1])];
}

/** Returns the first gap from `start` on; it may have no end. */
export function nextGap(ranges: readonly Range[], start: number): Range {
  let at = start;
  for (const [from, to] of ranges) {
    if (to <= at) continue;
    if (from > at) return [at, from];
    at = to;
  }
  return [at, Number.POSITIVE_INFINITY];
}
