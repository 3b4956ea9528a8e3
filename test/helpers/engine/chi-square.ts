/**
 * Pearson's chi-square test.
 *
 * The generators are seeded, so a test that passes once passes always; the limits are those that a fair generator
 * exceeds once in a thousand seeds.
 */

/** The statistic of the counts and their expected values: about the degrees of freedom if the generator is fair. */
export function chiSquare(observed: readonly number[], expected: readonly number[]): number {
  return observed.reduce((sum, count, index) => {
    const target = expected[index] as number;
    return sum + (count - target) ** 2 / target;
  }, 0);
}

/** The value exceeded with probability 0.001, by the Wilson-Hilferty approximation (3 % too high at 1 degree, closer above). */
export function chiSquareLimit(degreesOfFreedom: number): number {
  const NORMAL_QUANTILE_999 = 3.0902;
  const spread = 2 / (9 * degreesOfFreedom);
  return degreesOfFreedom * (1 - spread + NORMAL_QUANTILE_999 * Math.sqrt(spread)) ** 3;
}
