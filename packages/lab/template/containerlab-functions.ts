/** The functions that containerlab adds to Go's. */
import { formatIpv4, parseIpv4 } from "@wirelab/engine/wire/ipv4-address";
import { formatIpv6, parseIpv6 } from "@wirelab/engine/wire/ipv6-address";
import { TemplateFault } from "./fault.ts";
import {
  checkLength,
  isFields,
  isList,
  kindOf,
  MOST_ELEMENTS,
  parseFloatingPoint,
  parseInteger,
  textOf,
  type Value,
} from "./values.ts";

type Two = readonly [Value, Value];

/** Checks the number of values. */
const needs =
  <Given extends readonly Value[]>(count: number, work: (...values: Given) => Value) =>
  (values: readonly Value[]): Value => {
    if (values.length !== count) throw new TemplateFault(`needs ${count} values, got ${values.length}.`);
    return work(...(values as Given));
  };

/** Integers stay integers, unless one of the two values is not. */
const calculate = (
  onIntegers: (a: bigint, b: bigint) => bigint,
  onOthers: (a: number, b: number) => number,
) =>
  needs<Two>(2, (a, b) =>
    isFloatingPoint(a) || isFloatingPoint(b)
      ? onOthers(toFloatingPoint(a), toFloatingPoint(b))
      : BigInt.asIntN(64, onIntegers(toInteger(a), toInteger(b))),
  );

const divisor = (value: bigint): bigint => {
  if (value === 0n) throw new TemplateFault("divides by 0.");
  return value;
};

export const CONTAINERLAB_FUNCTIONS: Readonly<Record<string, (values: readonly Value[]) => Value>> = {
  add: calculate(
    (a, b) => a + b,
    (a, b) => a + b,
  ),
  subtract: calculate(
    (a, b) => a - b,
    (a, b) => a - b,
  ),
  mul: calculate(
    (a, b) => a * b,
    (a, b) => a * b,
  ),
  div: needs<Two>(2, (a, b) => {
    const by = toFloatingPoint(b);
    if (by === 0) throw new TemplateFault("divides by 0.");
    return toFloatingPoint(a) / by;
  }),
  idiv: needs<Two>(2, (a, b) => BigInt.asIntN(64, toInteger(a) / divisor(toInteger(b)))),
  rem: needs<Two>(2, (a, b) => toInteger(a) % divisor(toInteger(b))),
  seq: (values) => sequence(values.map(toInteger)),
  slice: (values) => values,
  ToJSON: needs<[Value]>(1, (value) => checkLength(jsonOf(value))),
  "strings.Split": needs<Two>(2, (separator, text) => splitText(wordOf(separator), toText(text))),
  "strings.ReplaceAll": needs<[Value, Value, Value]>(3, (from, to, text) =>
    replaceAll(wordOf(from), wordOf(to), text),
  ),
  "conv.Join": needs<Two>(2, (list, separator) => {
    if (!isList(list)) throw new TemplateFault(`needs a list, got ${kindOf(list)}.`);
    return checkLength(list.map(toText).join(wordOf(separator)));
  }),
  "conv.ToInt": needs<[Value]>(1, toInteger),
  "net.CIDRHost": needs<Two>(2, (number, prefix) => addressIn(toText(prefix), toInteger(number))),
};

function wordOf(value: Value): string {
  if (typeof value !== "string") throw new TemplateFault(`needs a text, got ${kindOf(value)}.`);
  return value;
}

const toText = (value: Value): string => (value === undefined ? "nil" : textOf(value));

/** A text is read as a number: `"0x10"`, `"1,000"`, `"2.5"`. */
const readNumber = (text: string): bigint | number => {
  const plain = text.replaceAll(",", "");
  const value = parseInteger(plain) ?? parseFloatingPoint(plain);
  if (value === undefined) throw new TemplateFault(`needs a number, got ${JSON.stringify(text)}.`);
  return value;
};

function isFloatingPoint(value: Value): boolean {
  if (typeof value !== "string") return typeof value === "number";
  return parseInteger(value) === undefined && parseFloatingPoint(value) !== undefined;
}

function toNumber(value: Value): bigint | number {
  if (typeof value === "bigint" || typeof value === "number") return value;
  if (typeof value === "string") return readNumber(value);
  if (typeof value === "boolean") return value ? 1n : 0n;
  throw new TemplateFault(`needs a number, got ${kindOf(value)}.`);
}

function toInteger(value: Value): bigint {
  const number = toNumber(value);
  if (typeof number === "bigint") return number;
  if (!Number.isFinite(number)) throw new TemplateFault(`needs an integer, got ${number}.`);
  return BigInt.asIntN(64, BigInt(Math.trunc(number)));
}

const toFloatingPoint = (value: Value): number => Number(toNumber(value));

/** `seq 3`, `seq 2 5`, `seq 10 2 4`: from the start to the end, both with them; a step of the wrong sign is turned round. */
function sequence(numbers: readonly bigint[]): Value {
  if (numbers.length === 0 || numbers.length > 3)
    throw new TemplateFault(`needs 1, 2 or 3 values, got ${numbers.length}.`);
  const [start, end] = numbers.length === 1 ? [1n, numbers[0]!] : [numbers[0]!, numbers[1]!];
  const size = absolute(numbers[2] ?? 1n);
  if (size === 0n) return [];
  const count = absolute(end - start) / size + 1n;
  if (count > BigInt(MOST_ELEMENTS))
    throw new TemplateFault(`makes ${count} numbers; the limit is ${MOST_ELEMENTS}.`);
  const step = end < start ? -size : size;
  return Array.from({ length: Number(count) }, (_, index) => start + BigInt(index) * step);
}

const absolute = (value: bigint): bigint => (value < 0n ? -value : value);

const splitText = (separator: string, text: string): readonly string[] => {
  const parts = separator === "" ? [...text] : text.split(separator);
  if (parts.length > MOST_ELEMENTS)
    throw new TemplateFault(`makes ${parts.length} texts; the limit is ${MOST_ELEMENTS}.`);
  return parts;
};

function replaceAll(from: string, to: string, value: Value): string {
  if (from === "") return toText(value);
  return value === undefined ? "" : checkLength(toText(value).split(from).join(to));
}

function jsonOf(value: Value): string {
  if (value === undefined) return "null";
  if (isList(value)) return `[${value.map(jsonOf).join(",")}]`;
  // Containerlab cannot write maps of YAML as JSON, and writes an empty text in their place.
  if (isFields(value) || typeof value === "number")
    throw new TemplateFault(`cannot write ${kindOf(value)} as JSON. Write the JSON itself.`);
  return typeof value === "string"
    ? JSON.stringify(value).replaceAll(
        /[<>&\u2028\u2029]/g,
        (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`,
      )
    : String(value);
}

/** The address with a number in a network; a negative number counts from the end. */
function addressIn(prefix: string, number: bigint): string {
  const [text = "", size = ""] = prefix.split("/");
  const ipv4 = parseIpv4(text);
  const ipv6 = ipv4 === null ? parseIpv6(text) : null;
  const width = ipv4 === null ? 128 : 32;
  if ((ipv4 === null && ipv6 === null) || !/^(?:0|[1-9]\d{0,2})$/.test(size) || Number(size) > width)
    throw new TemplateFault(`needs a network like 10.0.0.0/24, got ${JSON.stringify(prefix)}.`);
  const hosts = 2n ** BigInt(width - Number(size));
  const host = number < 0n ? hosts + number : number;
  if (host < 0n || host >= hosts)
    throw new TemplateFault(`${prefix} has no address with the number ${number}.`);
  const address = ipv4 === null ? ipv6! : BigInt(ipv4);
  const found = address - (address % hosts) + host;
  return ipv4 === null ? formatIpv6(found) : formatIpv4(Number(found));
}
