/** Tables of the properties of devices, made of the rows by which the engine reads them. */
import { PROPERTY_SCHEMAS } from "@wirelab/engine/devices/property-schemas";

interface Schema {
  readonly type?: string;
  readonly format?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | false;
  /** Present: the keys are numbers of ports. */
  readonly propertyNames?: object;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly multipleOf?: number;
  readonly maxItems?: number;
  readonly maxProperties?: number;
  readonly maxLength?: number;
}

const joined = (parts: readonly string[]): string =>
  [parts.slice(0, -1).join(", "), ...parts.slice(-1)].filter(Boolean).join(" or ");
const upTo = (most: number | undefined): string => (most === undefined ? "" : `, up to ${most}`);

function valuesOf(schema: Schema): string {
  const { type, format, minimum, maximum, multipleOf, additionalProperties: each } = schema;
  if (schema.enum) return joined(schema.enum.map((value) => `\`${value}\``));
  if (schema.anyOf) return joined(schema.anyOf.map(valuesOf)).replace("true or false or", "true, false or");
  if (type === "boolean") return "true or false";
  if (type === "integer" && maximum === undefined) return "a port number";
  if (type === "integer") return `${minimum} to ${maximum}${multipleOf ? ` in steps of ${multipleOf}` : ""}`;
  if (type === "array")
    return `a list${upTo(schema.maxItems)}${schema.items?.properties ? "" : `: ${valuesOf(schema.items ?? {})}`}`;
  if (each)
    return `by ${schema.propertyNames ? "port number" : "name"}${upTo(schema.maxProperties)}: ${valuesOf(each)}`;
  if (type === "object") return "an object";
  return format
    ? `${format.replace("ip", "an IP")} address`
    : `text${schema.maxLength ? ` of up to ${schema.maxLength} characters` : ""}`;
}

/** The settings in a value: of an object, of the items of a list, or of each port. */
function settingsIn(schema: Schema, path: string): string[] {
  const { anyOf = [], items, properties, required, additionalProperties } = schema;
  if (properties) return rowsOf(properties, path === "" ? "" : `${path}.`, required);
  if (items) return settingsIn(items, `${path}[]`);
  if (additionalProperties) return settingsIn(additionalProperties, `${path}.N`);
  const inside = anyOf.find((each) => each.properties);
  return inside ? settingsIn(inside, path) : [];
}

const shownDefault = (value: unknown): string =>
  value === undefined || typeof value === "object" ? "" : `\`${value}\``;

function rowsOf(
  properties: Readonly<Record<string, Schema>>,
  before = "",
  required: readonly string[] = [],
): string[] {
  return Object.entries(properties).flatMap(([key, schema]) => {
    const otherwise = required.includes(key) ? "required" : shownDefault(schema.default);
    const row = `| \`${before}${key}\` | ${valuesOf(schema)} | ${otherwise} | ${schema.description ?? ""} |`;
    return [row, ...settingsIn(schema, `${before}${key}`)];
  });
}

/** @param key of one property, whose settings are shown; absent: all properties. */
export function propertiesTable(type: string, key?: string): string {
  const all = PROPERTY_SCHEMAS[type]!() as Readonly<Record<string, Schema>>;
  const rows = key === undefined ? rowsOf(all) : settingsIn(all[key]!, "").map(withoutList);
  return ["| key | values | default | meaning |", "| --- | --- | --- | --- |", ...rows].join("\n");
}

/** A list of objects begins with the settings of one. */
const withoutList = (row: string): string => row.replace("`[].", "`");
