/**
 * Tests of distributions, all at a false-alarm rate of 1 in 1,000. Seeds are fixed, so a test passes always or never.
 */
import { normalQuantile } from "../../../../../packages/engine/link/impairments/chain/distributions.ts";

/** The 99.9 % quantile of the standard normal distribution. */
const Z = normalQuantile(0.999);

/** Returns whether counts differ from their expectations by more than chance (Pearson; quantile by Wilson and Hilferty). */
export function isUnlikelyBySquares(counts: readonly number[], expected: readonly number[]): boolean {
  const squares = counts.reduce(
    (sum, count, cell) => sum + (count - expected[cell]!) ** 2 / expected[cell]!,
    0,
  );
  const freedom = counts.length - 1;
  const limit = freedom * (1 - 2 / (9 * freedom) + Z * Math.sqrt(2 / (9 * freedom))) ** 3;
  return squares > limit;
}

/** Returns whether values differ from a distribution by more than chance (Kolmogorov, Smirnov; asymptotic quantile 1.95). */
export function isUnlikelyByKolmogorov(
  values: readonly number[],
  cumulative: (value: number) => number,
): boolean {
  const sorted = [...values].sort((a, b) => a - b);
  const { length } = sorted;
  let distance = 0;
  for (const [index, value] of sorted.entries()) {
    const at = cumulative(value);
    distance = Math.max(distance, at - index / length, (index + 1) / length - at);
  }
  return distance * Math.sqrt(length) > 1.95;
}

/** Returns the correlation coefficient of successive values. */
export function autocorrelation(values: readonly number[]): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  let covariance = 0;
  let variance = 0;
  for (const [index, value] of values.entries()) {
    variance += (value - mean) ** 2;
    if (index > 0) covariance += (value - mean) * (values[index - 1]! - mean);
  }
  return covariance / variance;
}

/** The cumulative normal distribution, by the series of the error function (Abramowitz and Stegun 26.2.17, error below 7.5e-8). */
export function normalCumulative(value: number): number {
  if (value < 0) return 1 - normalCumulative(-value);
  const t = 1 / (1 + 0.2316419 * value);
  const factors = [1.330274429, -1.821255978, 1.781477937, -0.356563782, 0.31938153];
  const tail = factors.reduce((sum, factor) => sum * t + factor, 0) * t;
  return 1 - (Math.exp((-value * value) / 2) / Math.sqrt(2 * Math.PI)) * tail;
}
