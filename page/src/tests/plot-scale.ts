/** The scale of a plot. Pure. */

/** @returns 1, 2 or 5 times a power of ten that is not less than the value. */
export function niceTop(value: number): number {
  if (!(value > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 5, 10].map((step) => step * power).find((top) => top >= value)!;
}

/** @returns a number with at most three digits and a prefix: `1.5 M`. */
export function shortNumber(value: number): string {
  const [prefix, factor] =
    [["G", 1e9] as const, ["M", 1e6] as const, ["k", 1e3] as const].find(([, least]) => value >= least) ??
    (["", 1] as const);
  return `${Number((value / factor).toPrecision(3))} ${prefix}`;
}
