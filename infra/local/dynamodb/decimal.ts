/**
 * Numbers of DynamoDB: decimal, with 38 significant digits, from 1E-130 to 9.99E125 in size.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/HowItWorks.NamingRulesDataTypes.html
 */
import { invalid } from "./dynamodb-error.ts";

export interface Decimal {
  readonly isNegative: boolean;
  /** Significant digits, without zeros at either end; empty for zero. */
  readonly digits: string;
  /** The value is 0.digits times ten to this power. */
  readonly exponent: number;
}

const MOST_DIGITS = 38;
const LEAST_EXPONENT = -129;
const MOST_EXPONENT = 126;
const SYNTAX = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,6}))?$/;
const ZERO: Decimal = { isNegative: false, digits: "", exponent: 0 };

/** @throws DynamoDbError for what is no number, or none that DynamoDB can store. */
export function parseDecimal(text: string): Decimal {
  const [, sign, whole = "", fraction = "", power = "0"] = SYNTAX.exec(text) ?? [];
  if (sign === undefined || whole + fraction === "")
    throw invalid(`The parameter cannot be converted to a numeric value: ${text}`);
  return decimalOf(sign === "-", whole + fraction, whole.length + Number(power));
}

/** @param exponent places the first digit, which may be a zero: 1 for the ones. */
function decimalOf(isNegative: boolean, text: string, exponent: number): Decimal {
  const significant = text.replace(/^0+/, "");
  const digits = significant.replace(/0+$/, "");
  if (digits === "") return ZERO;
  const power = exponent - (text.length - significant.length);
  if (digits.length > MOST_DIGITS)
    throw invalid("Attempting to store more than 38 significant digits in a Number");
  if (power > MOST_EXPONENT)
    throw invalid("Number overflow. Attempting to store a number with magnitude larger than supported range");
  if (power < LEAST_EXPONENT)
    throw invalid(
      "Number underflow. Attempting to store a number with magnitude smaller than supported range",
    );
  return { isNegative, digits, exponent: power };
}

/** Formats without a power of ten, as DynamoDB does. */
export function formatDecimal({ isNegative, digits, exponent }: Decimal): string {
  if (digits === "") return "0";
  const sign = isNegative ? "-" : "";
  if (exponent <= 0) return `${sign}0.${"0".repeat(-exponent)}${digits}`;
  if (exponent >= digits.length) return `${sign}${digits}${"0".repeat(exponent - digits.length)}`;
  return `${sign}${digits.slice(0, exponent)}.${digits.slice(exponent)}`;
}

/** Adds, or subtracts with a `sign` of -1. */
export function addDecimals(a: Decimal, b: Decimal, sign: 1 | -1): Decimal {
  const last = Math.min(a.exponent - a.digits.length, b.exponent - b.digits.length);
  const scaled = ({ isNegative, digits, exponent }: Decimal): bigint => {
    const value = BigInt(digits + "0".repeat(exponent - digits.length - last));
    return isNegative ? -value : value;
  };
  const sum = scaled(a) + BigInt(sign) * scaled(b);
  const text = String(sum < 0n ? -sum : sum);
  return decimalOf(sum < 0n, text, last + text.length);
}

const KEY_DIGITS = 40;
/** Makes exponents positive. */
const EXPONENT_BIAS = 5_000;

/** Returns a text whose order is the order of the numbers. The format is Dynoxide's, whose databases this code reads. */
export function keyOfDecimal({ isNegative, digits, exponent }: Decimal): string {
  if (digits === "") return `1${"0".repeat(4 + KEY_DIGITS)}`;
  const text = `${EXPONENT_BIAS + exponent}${digits.padEnd(KEY_DIGITS, "0")}`;
  return isNegative ? `0${text.replace(/\d/g, (digit) => String(9 - Number(digit)))}` : `2${text}`;
}

export function compareDecimals(a: Decimal, b: Decimal): number {
  const [first, second] = [keyOfDecimal(a), keyOfDecimal(b)];
  return first < second ? -1 : first > second ? 1 : 0;
}

/** Returns the number as DynamoDB returns it. @throws DynamoDbError as parseDecimal. */
export const toCanonical = (text: string): string => formatDecimal(parseDecimal(text));
