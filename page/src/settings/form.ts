/** What a form shows of a setting, derived from the JSON Schema of its row. Pure. */
import type { JsonSchema } from "@wirelab/engine/settings/kind";
import { labelOf } from "./labels.ts";

export type Scalar = string | number | boolean;

export type Form =
  | { readonly kind: "flag" }
  | { readonly kind: "integer"; readonly min: number; readonly max: number }
  | { readonly kind: "choice"; readonly options: readonly Scalar[] }
  | {
      readonly kind: "text";
      readonly isLong: boolean;
      /** A text of digits is a number. */
      readonly takesNumber: boolean;
      readonly hint: string;
    }
  | { readonly kind: "list"; readonly item: Form; readonly max: number }
  | RecordForm
  | { readonly kind: "map"; readonly value: Form; readonly isByPort: boolean }
  /** Records that a choice tells apart. */
  | {
      readonly kind: "variants";
      readonly by: string;
      readonly of: readonly { readonly word: string; readonly form: RecordForm }[];
    }
  | { readonly kind: "json" };

export interface RecordForm {
  readonly kind: "record";
  readonly rows: readonly Row[];
  /** True stands for a record of defaults, false for none. */
  readonly takesFlag: boolean;
}

export interface Row {
  readonly key: string;
  readonly label: string;
  /** The row's own words. */
  readonly about: string;
  readonly isRequired: boolean;
  /** The default, as JSON; undefined if there is none. */
  readonly otherwise: unknown;
  readonly form: Form;
}

type Schemas = Readonly<Record<string, JsonSchema>>;

/** Texts of more characters have several lines. */
const LINE_CHARACTERS = 1_000;
const HINTS: Readonly<Record<string, string>> = { ipv4: "IPv4 address", ipv6: "IPv6 address" };

export const rowsOf = (schemas: Schemas, required: readonly string[] = []): Row[] =>
  Object.entries(schemas).map(([key, schema]) => ({
    key,
    label: labelOf(key),
    about: String(schema.description ?? ""),
    isRequired: required.includes(key),
    otherwise: schema.default,
    form: formOf(schema),
  }));

function formOf(schema: JsonSchema): Form {
  const { type, enum: options, anyOf } = schema;
  if (options !== undefined) return { kind: "choice", options: options as Scalar[] };
  if (type === "boolean") return { kind: "flag" };
  if (type === "integer")
    return {
      kind: "integer",
      min: Number(schema.minimum ?? Number.MIN_SAFE_INTEGER),
      max: Number(schema.maximum ?? Number.MAX_SAFE_INTEGER),
    };
  if (type === "string") return textForm(schema);
  if (type === "array")
    return {
      kind: "list",
      item: formOf(schema.items as JsonSchema),
      max: Number(schema.maxItems ?? Number.POSITIVE_INFINITY),
    };
  if (type === "object") return objectForm(schema);
  return anyOf === undefined ? { kind: "json" } : formOfAny(anyOf as readonly JsonSchema[]);
}

function textForm({ format, anyOf, maxLength, contentMediaType }: JsonSchema): Form {
  const formats = [{ format }, ...((anyOf ?? []) as readonly JsonSchema[])];
  return {
    kind: "text",
    isLong: contentMediaType === "text/plain" || Number(maxLength ?? 0) > LINE_CHARACTERS,
    takesNumber: false,
    hint: formats.flatMap((each) => HINTS[String(each.format)] ?? []).join(" or "),
  };
}

function objectForm({ properties, required, additionalProperties, propertyNames }: JsonSchema): Form {
  if (properties !== undefined)
    return {
      kind: "record",
      rows: rowsOf(properties as Schemas, required as string[]),
      takesFlag: false,
    };
  if (typeof additionalProperties !== "object") return { kind: "json" };
  return {
    kind: "map",
    value: formOf(additionalProperties as JsonSchema),
    isByPort: propertyNames !== undefined,
  };
}

function formOfAny(schemas: readonly JsonSchema[]): Form {
  const forms = schemas.map(formOf);
  const [list, record, text] = (["list", "record", "text"] as const).map((kind) =>
    forms.find((form) => form.kind === kind),
  );
  const [number, words] = [
    forms.find((form) => form.kind === "integer"),
    forms.find((form) => form.kind === "choice"),
  ];
  if (forms.length === 2 && number !== undefined && words !== undefined)
    return {
      kind: "text",
      isLong: false,
      takesNumber: true,
      hint: [`${number.min} to ${number.max}`, ...words.options].join(" or "),
    };
  // One item may stand without its list.
  if (forms.length === 2 && list !== undefined) return list;
  if (forms.length === 2 && record?.kind === "record" && schemas.some(({ type }) => type === "boolean"))
    return { ...record, takesFlag: true };
  if (forms.length === 2 && text?.kind === "text" && schemas.some(({ type }) => type === "integer"))
    return { ...text, takesNumber: true };
  return variantsOf(forms) ?? { kind: "json" };
}

/** The key by which records differ has one value in each. */
function variantsOf(forms: readonly Form[]): Form | undefined {
  const records = forms.filter((form) => form.kind === "record");
  const by = records[0]?.rows.find(({ key }) =>
    records.every((each) => wordAt(each, key) !== undefined),
  )?.key;
  if (records.length < forms.length || by === undefined) return undefined;
  return {
    kind: "variants",
    by,
    of: records.map((form) => ({
      word: wordAt(form, by)!,
      form: { ...form, rows: form.rows.filter(({ key }) => key !== by) },
    })),
  };
}

function wordAt({ rows }: RecordForm, key: string): string | undefined {
  const form = rows.find((row) => row.key === key)?.form;
  return form?.kind === "choice" && form.options.length === 1 ? String(form.options[0]) : undefined;
}

/** Whether the value is shown in one control. */
export const isScalar = ({ kind }: Form): boolean => /^(flag|integer|choice|text)$/.test(kind);

/** Whether the items are typed as lines of one text. */
export const hasLines = (form: Form): boolean =>
  form.kind === "list" && (form.item.kind === "integer" || (form.item.kind === "text" && !form.item.isLong));

/** The most columns that a panel has room for. */
const MOST_COLUMNS = 6;

/** The columns, if the items of a list are rows of a table; undefined if they need more room. */
export const columnsOf = (form: Form): readonly Row[] | undefined =>
  form.kind === "list" &&
  form.item.kind === "record" &&
  form.item.rows.length <= MOST_COLUMNS &&
  form.item.rows.every((row) => isScalar(row.form) && !(row.form.kind === "text" && row.form.isLong))
    ? form.item.rows
    : undefined;
