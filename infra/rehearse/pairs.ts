/** Few combinations with each pair of values of two factors. */

/** Values of settings by key, as `-c` takes them. */
export type Combination = Readonly<Record<string, string>>;

/** Indices of the values by factor. */
type Row = readonly number[];

const key = (one: number, value: number, other: number, otherValue: number): string =>
  one < other ? `${one}:${value} ${other}:${otherValue}` : `${other}:${otherValue} ${one}:${value}`;

/**
 * Each row begins with a pair that no earlier one has, and takes of each further factor the value with the most new pairs.
 * @param isRefused whether a combination is not allowed; pairs that only such ones have are left out.
 */
export function coverPairs(
  factors: readonly (readonly Combination[])[],
  isRefused: (combination: Combination) => boolean,
): readonly Combination[] {
  const combine = (row: Row): Combination =>
    Object.assign({}, ...row.map((value, index) => (value < 0 ? {} : factors[index]![value]!)));
  const missing = new Set<string>();
  for (const [one, values] of factors.entries())
    for (let other = one + 1; other < factors.length; other++)
      for (const value of values.keys())
        for (const otherValue of factors[other]!.keys()) missing.add(key(one, value, other, otherValue));
  const rows: Combination[] = [];
  while (missing.size > 0) {
    const [first] = missing;
    const row = factors.map(() => -1);
    for (const part of first!.split(" ")) {
      const [factor, value] = part.split(":").map(Number);
      row[factor!] = value!;
    }
    for (const [factor, values] of factors.entries()) {
      if (row[factor]! >= 0) continue;
      const news = (value: number): number =>
        row.filter((own, other) => own >= 0 && missing.has(key(factor, value, other, own))).length;
      const allowed = [...values.keys()].filter((value) => !isRefused(combine(row.with(factor, value))));
      row[factor] = allowed.reduce(
        (best, value) => (news(value) > news(best) ? value : best),
        allowed[0] ?? 0,
      );
    }
    missing.delete(first!);
    const combination = combine(row);
    if (isRefused(combination)) continue;
    for (const [one, value] of row.entries())
      for (let other = one + 1; other < row.length; other++)
        missing.delete(key(one, value, other, row[other]!));
    rows.push(combination);
  }
  return rows;
}
