/** The functions that containerlab's templates have: most of Go's own, and containerlab's. */
import { CONTAINERLAB_FUNCTIONS } from "./containerlab-functions.ts";
import { TemplateFault } from "./fault.ts";
import { formatVerbs } from "./printf.ts";
import { checkLength, compareTexts, isFields, isList, isTrue, kindOf, textOf, type Value } from "./values.ts";

type TemplateFunction = (values: readonly Value[]) => Value;
export type Functions = Readonly<Record<string, TemplateFunction>>;

/** `and` and `or` are done where templates are executed. */
const decided: TemplateFunction = () => undefined;

const GO_FUNCTIONS: Functions = {
  and: decided,
  or: decided,
  not: (values) => !isTrue(single(values)),
  eq: ([first, ...others]) => {
    if (others.length === 0) throw new TemplateFault("needs two values.");
    return others.some((other) => isEqual(first, other));
  },
  ne: (values) => !isEqual(...pairOf(values)),
  lt: (values) => order(values) < 0,
  le: (values) => order(values) <= 0,
  gt: (values) => order(values) > 0,
  ge: (values) => order(values) >= 0,
  len: (values) => {
    const value = single(values);
    if (typeof value === "string") return BigInt(new TextEncoder().encode(value).length);
    if (isList(value)) return BigInt(value.length);
    if (isFields(value)) return BigInt(Object.keys(value).length);
    throw new TemplateFault(`needs a text, a list or a map, got ${kindOf(value)}.`);
  },
  index: ([first, ...keys]) => {
    if (first === undefined) throw new TemplateFault("there is no value with elements.");
    return keys.reduce<Value>(elementOf, first);
  },
  print: (values) =>
    checkLength(
      values.reduce<string>((text, value, index) => {
        const before = values[index - 1];
        const isSeparate = index > 0 && typeof value !== "string" && typeof before !== "string";
        return `${text}${isSeparate ? " " : ""}${textOf(value)}`;
      }, ""),
    ),
  println: (values) => checkLength(`${values.map(textOf).join(" ")}\n`),
  printf: ([format, ...values]) => {
    if (typeof format !== "string") throw new TemplateFault(`needs a text first, got ${kindOf(format)}.`);
    return formatVerbs(format, values);
  },
};

export const FUNCTIONS: Functions = { ...GO_FUNCTIONS, ...CONTAINERLAB_FUNCTIONS };

function single(values: readonly Value[]): Value {
  if (values.length !== 1) throw new TemplateFault("needs one value.");
  return values[0];
}

function pairOf(values: readonly Value[]): readonly [Value, Value] {
  if (values.length !== 2) throw new TemplateFault("needs two values.");
  return [values[0], values[1]];
}

function isEqual(a: Value, b: Value): boolean {
  if (a === undefined || b === undefined) return a === b;
  if (typeof a !== typeof b || typeof a === "object")
    throw new TemplateFault(`cannot compare ${kindOf(a)} with ${kindOf(b)}.`);
  return a === b;
}

function order(values: readonly Value[]): number {
  const [a, b] = pairOf(values);
  if (typeof a === "string" && typeof b === "string") return compareTexts(a, b);
  const areNumbers =
    (typeof a === "bigint" && typeof b === "bigint") || (typeof a === "number" && typeof b === "number");
  if (!areNumbers) throw new TemplateFault(`cannot compare ${kindOf(a)} with ${kindOf(b)}.`);
  return a === b ? 0 : a! < b! ? -1 : 1;
}

function elementOf(value: Value, key: Value): Value {
  if (isList(value) && typeof key === "bigint") {
    if (key < 0n || key >= BigInt(value.length))
      throw new TemplateFault(`the list has ${value.length} elements, and none at ${key}.`);
    return value[Number(key)];
  }
  if (isFields(value) && (typeof key === "string" || typeof key === "bigint")) {
    const name = String(key);
    return Object.hasOwn(value, name) ? value[name] : undefined;
  }
  throw new TemplateFault(`${kindOf(value)} has no element of ${kindOf(key)}.`);
}
