/** Attribute values, as they are in requests and responses. */
import { compareDecimals, keyOfDecimal, parseDecimal, toCanonical } from "./decimal.ts";
import { DynamoDbError, invalid } from "./dynamodb-error.ts";
import type { Limits } from "./limits.ts";

/** Has one of the properties. */
export interface Attribute {
  readonly S?: string;
  readonly N?: string;
  /** In base64, like the elements of BS. */
  readonly B?: string;
  readonly BOOL?: boolean;
  readonly NULL?: boolean;
  readonly M?: Item;
  readonly L?: readonly Attribute[];
  readonly SS?: readonly string[];
  readonly NS?: readonly string[];
  readonly BS?: readonly string[];
}

export type Item = Readonly<Record<string, Attribute>>;
export type AttributeType = keyof Attribute;

const TYPES: ReadonlySet<string> = new Set(["S", "N", "B", "BOOL", "NULL", "M", "L", "SS", "NS", "BS"]);
const SET_NAMES = { SS: "string", NS: "number", BS: "binary" } as const;

const isText = (value: unknown): boolean => typeof value === "string";
const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every(isText);
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const isBytes = (value: unknown): boolean => typeof value === "string" && BASE64.test(value);
/** What the JSON of each type must be. */
const JSON_OF: Readonly<Record<AttributeType, (value: unknown) => boolean>> = {
  S: isText,
  N: isText,
  B: isBytes,
  BOOL: (value) => typeof value === "boolean",
  NULL: (value) => typeof value === "boolean",
  M: (value) => typeof value === "object" && value !== null && !Array.isArray(value),
  L: Array.isArray,
  SS: isTexts,
  NS: isTexts,
  BS: (value) => Array.isArray(value) && value.every(isBytes),
};

export function typeOf(attribute: Attribute): AttributeType {
  for (const type in attribute) return type as AttributeType;
  throw invalid("Supplied AttributeValue is empty, must contain exactly one of the supported datatypes");
}

/** Checks an attribute of a request, and writes its numbers as they are stored. @throws DynamoDbError */
export function checkAttribute(attribute: Attribute, limits: Limits, depth = 0): Attribute {
  if (typeof attribute !== "object" || attribute === null)
    throw invalid("Supplied AttributeValue is empty, must contain exactly one of the supported datatypes");
  const type = typeOf(attribute);
  if (Object.keys(attribute).length !== 1)
    throw invalid(
      "Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes",
    );
  if (!TYPES.has(type))
    throw invalid("Supplied AttributeValue is empty, must contain exactly one of the supported datatypes");
  if (!JSON_OF[type](attribute[type]))
    throw new DynamoDbError(
      "SerializationException",
      `A value of the type ${type} cannot be ${kindOf(attribute[type])}`,
    );
  if (attribute.NULL === false)
    throw invalid(
      "1 validation error detected: One or more parameter values were invalid: Null attribute value types must have the value of true",
    );
  if (depth > limits.nesting) throw invalid("Nesting Levels have exceeded supported limits");
  if (attribute.N !== undefined) return { N: toCanonical(attribute.N) };
  if (attribute.M !== undefined) return { M: checkItem(attribute.M, limits, depth + 1) };
  if (attribute.L !== undefined)
    return { L: attribute.L.map((each) => checkAttribute(each, limits, depth + 1)) };
  if (type === "SS" || type === "NS" || type === "BS") return checkSet(attribute, type);
  return attribute;
}

const kindOf = (value: unknown): string =>
  value === null
    ? "null"
    : Array.isArray(value)
      ? "a list"
      : typeof value === "string"
        ? "this text"
        : `a ${typeof value}`;

function checkSet(attribute: Attribute, type: "SS" | "NS" | "BS"): Attribute {
  const given = attribute[type]!;
  const values = type === "NS" ? given.map(toCanonical) : given;
  if (values.length === 0)
    throw invalid(
      `1 validation error detected: One or more parameter values were invalid: An ${SET_NAMES[type]} set  may not be empty`,
    );
  if (new Set(values).size !== values.length)
    throw invalid(
      `1 validation error detected: One or more parameter values were invalid: Input collection [${given.join(", ")}] contains duplicates.`,
    );
  return { [type]: values };
}

export function checkItem(item: Item, limits: Limits, depth = 0): Item {
  return Object.fromEntries(
    Object.entries(item).map(([name, attribute]) => [name, checkAttribute(attribute, limits, depth)]),
  );
}

/** Compares texts by their bytes in UTF-8. */
function compareTexts(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

/** @returns undefined if the two have no order. */
export function compareAttributes(a: Attribute, b: Attribute): number | undefined {
  if (a.S !== undefined && b.S !== undefined) return compareTexts(a.S, b.S);
  if (a.N !== undefined && b.N !== undefined) return compareDecimals(parseDecimal(a.N), parseDecimal(b.N));
  if (a.B !== undefined && b.B !== undefined)
    return Buffer.compare(Buffer.from(a.B, "base64"), Buffer.from(b.B, "base64"));
  return undefined;
}

export function equalAttributes(a: Attribute, b: Attribute): boolean {
  const type = typeOf(a);
  if (type !== typeOf(b)) return false;
  if (a.M !== undefined) {
    const [own, other] = [a.M, b.M!];
    const names = Object.keys(own);
    return (
      names.length === Object.keys(other).length &&
      names.every((name) => Object.hasOwn(other, name) && equalAttributes(own[name]!, other[name]!))
    );
  }
  if (a.L !== undefined)
    return a.L.length === b.L!.length && a.L.every((each, index) => equalAttributes(each, b.L![index]!));
  if (type === "SS" || type === "NS" || type === "BS") {
    const other = new Set(b[type]);
    return a[type]!.length === other.size && a[type]!.every((each) => other.has(each));
  }
  return a[type] === b[type];
}

/** Returns the text of a key's attribute in the database: its order is the order of the values. */
export function keyText(attribute: Attribute): string {
  if (attribute.S !== undefined) return `S:${attribute.S}`;
  if (attribute.N !== undefined) return `N:${keyOfDecimal(parseDecimal(attribute.N))}`;
  return `B:${Buffer.from(attribute.B!, "base64").toString("hex")}`;
}

const LEAST_BYTES = 3;

/** Returns the bytes of a value as DynamoDB counts them. */
export function sizeOfAttribute(attribute: Attribute): number {
  if (attribute.S !== undefined) return Buffer.byteLength(attribute.S);
  if (attribute.N !== undefined) return sizeOfNumber(attribute.N);
  if (attribute.B !== undefined) return Buffer.byteLength(attribute.B, "base64");
  if (attribute.M !== undefined)
    return LEAST_BYTES + Object.keys(attribute.M).length + sizeOfItem(attribute.M);
  if (attribute.L !== undefined)
    return attribute.L.reduce((sum, each) => sum + 1 + sizeOfAttribute(each), LEAST_BYTES);
  if (attribute.SS !== undefined) return attribute.SS.reduce((sum, each) => sum + Buffer.byteLength(each), 0);
  if (attribute.NS !== undefined) return attribute.NS.reduce((sum, each) => sum + sizeOfNumber(each), 0);
  if (attribute.BS !== undefined)
    return attribute.BS.reduce((sum, each) => sum + Buffer.byteLength(each, "base64"), 0);
  return 1;
}

function sizeOfNumber(text: string): number {
  const { digits, isNegative, exponent } = parseDecimal(text);
  if (digits === "") return 1;
  // Two digits are a byte, from the decimal point on in both directions.
  const aligned = digits.length + (exponent % 2 === 0 ? 0 : 1);
  return Math.ceil(aligned / 2) + 1 + (isNegative ? 1 : 0);
}

export const sizeOfItem = (item: Item): number =>
  Object.entries(item).reduce(
    (sum, [name, attribute]) => sum + Buffer.byteLength(name) + sizeOfAttribute(attribute),
    0,
  );
