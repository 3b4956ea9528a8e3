/** Values as Go has them: an integer is a bigint, a floating-point number is a number. */
import { TemplateFault } from "./fault.ts";

export type Value = undefined | boolean | bigint | number | string | readonly Value[] | Fields;

export interface Fields {
  readonly [name: string]: Value;
}

export const isFields = (value: Value): value is Fields => typeof value === "object" && !Array.isArray(value);

export const isList = (value: Value): value is readonly Value[] => Array.isArray(value);

export const kindOf = (value: Value): string => {
  switch (typeof value) {
    case "undefined":
      return "no value";
    case "bigint":
      return "an integer";
    case "number":
      return "a floating-point number";
    case "string":
      return "a text";
    case "boolean":
      return "a boolean";
    case "object":
      return isList(value) ? "a list" : "a map";
  }
};

export const isTrue = (value: Value): boolean => {
  if (isList(value)) return value.length > 0;
  return isFields(value) ? Object.keys(value).length > 0 : Boolean(value);
};

/** The names of a map in the order in which Go lists them: numbers before texts. */
export const sortedNames = (fields: Fields): string[] =>
  Object.keys(fields).toSorted((a, b) => {
    if (isWhole(a) !== isWhole(b)) return isWhole(a) ? -1 : 1;
    if (isWhole(a)) return BigInt(a) < BigInt(b) ? -1 : 1;
    return compareTexts(a, b);
  });

/** YAML reads such a key as a number. */
export const isWhole = (name: string): boolean => /^(?:0|-?[1-9][0-9]*)$/.test(name);

/** By code points, as Go's bytes of UTF-8 are ordered; JavaScript's units of UTF-16 are not. */
export function compareTexts(a: string, b: string): number {
  const [left, right] = [[...a], [...b]];
  const at = left.findIndex((sign, index) => sign !== right[index]);
  if (at < 0) return left.length - right.length;
  return at >= right.length ? 1 : left[at]!.codePointAt(0)! - right[at]!.codePointAt(0)!;
}

/** The verb `%v` of Go. */
export function textOf(value: Value): string {
  if (value === undefined) return "<nil>";
  if (typeof value === "number") return floatText(value);
  if (isList(value)) return `[${value.map(textOf).join(" ")}]`;
  if (isFields(value))
    return `map[${sortedNames(value)
      .map((name) => `${name}:${textOf(value[name])}`)
      .join(" ")}]`;
  return String(value);
}

/** The shortest text that is read as the number again; with an exponent below 0.0001 and from a million. */
function floatText(value: number): string {
  if (Number.isNaN(value)) return "NaN";
  if (!Number.isFinite(value)) return value > 0 ? "+Inf" : "-Inf";
  if (Object.is(value, -0)) return "-0";
  const text = value.toExponential();
  const exponent = Number(text.slice(text.indexOf("e") + 1));
  return value === 0 || (exponent >= -4 && exponent < 6)
    ? String(value)
    : text.replace(/e([+-])(\d)$/, "e$10$2");
}

/** The size of a text or a list that a template makes. */
export const MOST_CHARACTERS = 1_048_576;
export const MOST_ELEMENTS = 100_000;

export function checkLength(text: string): string {
  if (text.length > MOST_CHARACTERS)
    throw new TemplateFault(`makes a text of ${text.length} characters; the limit is ${MOST_CHARACTERS}.`);
  return text;
}

const INT64 = { from: -(2n ** 63n), to: 2n ** 63n - 1n };

/** What Go's strconv.ParseInt reads with base 0. */
export function parseInteger(text: string): bigint | undefined {
  const [, sign = "", digits = ""] =
    /^([+-]?)(0[xX][0-9a-fA-F]+|0[bB][01]+|0[oO]?[0-7]+|0|[1-9][0-9]*)$/.exec(
      text.replaceAll(/(?<=\w)_(?=\w)/g, ""),
    ) ?? [];
  if (digits === "") return undefined;
  const size = BigInt(/^0[0-7]/.test(digits) ? `0o${digits.slice(1)}` : digits);
  const value = sign === "-" ? -size : size;
  return value >= INT64.from && value <= INT64.to ? value : undefined;
}

export const parseFloatingPoint = (text: string): number | undefined =>
  /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/.test(text) ? Number(text) : undefined;
