/** Distributions of the jitter as tables of values in 8192ths of the jitter, the scale of netem's tables. */
import type { Delay } from "../settings/direction-settings.ts";

export const TABLE_SCALE = 8_192;
const TABLE_SIZE = 16_384;
const MAX_VALUE = 32_767;

const tables = new Map<string, Int16Array>();

/** Returns the values of a distribution, equally probable; undefined for the uniform one. */
export function jitterTable({ distribution, table }: Delay): ArrayLike<number> | undefined {
  if (distribution === "uniform") return undefined;
  if (distribution === "table") return table;
  const made = tables.get(distribution) ?? makeTable(QUANTILES[distribution]);
  tables.set(distribution, made);
  return made;
}

/** Returns the values of a quantile function at the middle of each of the table's equal parts. */
const makeTable = (quantile: (chance: number) => number): Int16Array =>
  Int16Array.from({ length: TABLE_SIZE }, (_, index) => {
    const value = Math.round(quantile((index + 0.5) / TABLE_SIZE) * TABLE_SCALE);
    return Math.max(-MAX_VALUE, Math.min(MAX_VALUE, value));
  });

/** The Pareto distribution with the exponent 3 and the minimum 1 has the mean 1.5 and the standard deviation sqrt(3)/2. */
const pareto = (chance: number): number => ((1 - chance) ** (-1 / 3) - 1.5) * (4 / 3);

const QUANTILES = {
  normal: normalQuantile,
  pareto,
  /** A quarter of the normal value and three quarters of the Pareto value of the same chance. */
  paretonormal: (chance: number): number => 0.25 * normalQuantile(chance) + 0.75 * pareto(chance),
} as const;

/**
 * The quantile function of the normal distribution: the approximation of P. J. Acklam (2003), relative error below 1.15e-9.
 */
export function normalQuantile(chance: number): number {
  if (chance > 0.5) return -normalQuantile(1 - chance);
  if (chance < 0.02425) {
    const q = Math.sqrt(-2 * Math.log(chance));
    return polynomial(TAIL_TOP, q) / (polynomial(TAIL_BOTTOM, q) * q + 1);
  }
  const q = chance - 0.5;
  const r = q * q;
  return (polynomial(CENTRE_TOP, r) * q) / (polynomial(CENTRE_BOTTOM, r) * r + 1);
}

const polynomial = (factors: readonly number[], at: number): number =>
  factors.reduce((sum, factor) => sum * at + factor, 0);

const CENTRE_TOP = [
  -39.69683028665376, 220.9460984245205, -275.9285104469687, 138.357751867269, -30.66479806614716,
  2.506628277459239,
];
const CENTRE_BOTTOM = [
  -54.47609879822406, 161.5858368580409, -155.6989798598866, 66.80131188771972, -13.28068155288572,
];
const TAIL_TOP = [
  -0.007784894002430293, -0.3223964580411365, -2.400758277161838, -2.549732539343734, 4.374664141464968,
  2.938163982698783,
];
const TAIL_BOTTOM = [0.007784695709041462, 0.3224671290700398, 2.445134137142996, 3.754408661907416];
