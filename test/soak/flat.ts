/** Decides whether a series of measurements grows. */

const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
};

/** Shares of growth from the second quarter to the last one that still count as flat. The first quarter is the warm-up. */
export const MOST_GROWTH = 0.1;

/** Returns how much larger the median of the last quarter is than the median of the second one, as a share. */
export function growthOf(values: readonly number[]): number {
  const quarter = Math.floor(values.length / 4);
  if (quarter === 0) throw new Error(`${values.length} measurements are too few: at least 4`);
  const early = median(values.slice(quarter, 2 * quarter));
  return median(values.slice(-quarter)) / early - 1;
}
