/** A comparison with a number: `0`, `< 65ms`, `10..20`, `>= 99%`. */

export type Operator = "=" | "!=" | "<" | "<=" | ">" | ">=";

export type Comparison =
  | { readonly operator: Operator; readonly value: number; readonly text: string }
  | { readonly operator: ".."; readonly from: number; readonly to: number; readonly text: string };

export function holds(comparison: Comparison, got: number): boolean {
  switch (comparison.operator) {
    case "..":
      return comparison.from <= got && got <= comparison.to;
    case "=":
      return got === comparison.value;
    case "!=":
      return got !== comparison.value;
    case "<":
      return got < comparison.value;
    case "<=":
      return got <= comparison.value;
    case ">":
      return got > comparison.value;
    case ">=":
      return got >= comparison.value;
  }
}

const MOST_CHARACTERS = 100;
const NUMBER = "-?[0-9]+(?:\\.[0-9]+)?";
const RANGE = new RegExp(`^(${NUMBER}\\s*[a-zA-Zµ%]*)\\s*\\.\\.\\s*(${NUMBER}\\s*[a-zA-Zµ%]*)$`);
const ONE = new RegExp(`^(<=|>=|!=|=|==|<|>)?\\s*(${NUMBER}\\s*[a-zA-Zµ%]*)$`);

/**
 * Parses a number or text.
 * @param toNumber converts a number with its unit to the measure's unit; undefined for a unit that it does not have.
 * @returns undefined if it is no comparison.
 */
export function parseComparison(
  input: number | string,
  toNumber: (text: string) => number | undefined,
): Comparison | undefined {
  const text = String(input).trim();
  // The expressions take time that is quadratic in the length of a text.
  if (text.length > MOST_CHARACTERS) return undefined;
  const range = RANGE.exec(text);
  if (range) {
    const to = toNumber(range[2]!);
    // `10..20ms`: the unit is that of both.
    const unit = /[a-zA-Zµ%]*$/.exec(range[2]!)![0];
    const from = toNumber(/[0-9]$/.test(range[1]!) ? `${range[1]}${unit}` : range[1]!);
    return from === undefined || to === undefined ? undefined : { operator: "..", from, to, text };
  }
  const one = ONE.exec(text);
  if (one === null) return undefined;
  const value = toNumber(one[2]!);
  const operator = (one[1] === "==" ? "=" : (one[1] ?? "=")) as Operator;
  return value === undefined ? undefined : { operator, value, text };
}
