/**
 * The common parameters of impairments, and how a form reads and changes them. What the form does not show stays as an API client has
 * set it (docs/impairments.md).
 */
import { DIRECTION_FIELDS, type Field, type Fields } from "@wirelab/engine/link/impairments/settings/fields";
import { PRESETS } from "@wirelab/engine/link/impairments/settings/presets";
import type { Impairments } from "../api/types.ts";

export type Direction = "both" | "a_to_b" | "b_to_a";

export interface FormField {
  readonly label: string;
  /** Below a direction: `["delay", "jitter"]`. */
  readonly path: readonly string[];
  readonly example: string;
}

export const FORM_FIELDS: readonly FormField[] = [
  { label: "Delay", path: ["delay", "delay"], example: "20ms" },
  { label: "Jitter", path: ["delay", "jitter"], example: "5ms" },
  { label: "Loss", path: ["loss", "random", "chance"], example: "1%" },
  { label: "Duplicates", path: ["duplicate", "chance"], example: "1%" },
  { label: "Corruption", path: ["corrupt", "chance"], example: "1%" },
  { label: "Reordering", path: ["reorder", "chance"], example: "25%" },
  { label: "Rate", path: ["rate", "rate"], example: "10mbit" },
  { label: "Queue limit", path: ["queue", "limit"], example: "1000" },
  { label: "MTU", path: ["mtu", "bytes"], example: "1400" },
];

const isObject = (value: unknown): value is Impairments =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** A plain value stands for the main field of its group: `"20ms"` for `{"delay": "20ms"}`. */
function expand(value: unknown, field: Field | undefined): Impairments {
  if (isObject(value)) return value;
  const main = field?.kind === "group" ? field.main : undefined;
  return value === undefined || value === null || main === undefined ? {} : { [main]: value };
}

const childrenOf = (field: Field | undefined): Fields => (field?.kind === "group" ? field.fields : {});

/** What the service uses for an impairment where the direction does not name it: that of `both`, or of the preset. */
function inherited(settings: Impairments, direction: Direction, name: string): unknown {
  const { preset } = settings;
  const base =
    typeof preset === "string" && Object.hasOwn(PRESETS, preset) ? PRESETS[preset]!.impairments : {};
  const from = (all: Impairments, one: Direction): unknown => {
    const object = all[one];
    return isObject(object) && Object.hasOwn(object, name) ? object[name] : undefined;
  };
  const ofBoth = direction === "both" ? undefined : from(settings, "both");
  // Null in `both` removes what the preset has.
  return ofBoth !== undefined ? ofBoth : (from(base, direction) ?? from(base, "both"));
}

function textAt(value: unknown, [name, ...rest]: readonly string[], field: Field | undefined): string {
  if (name === undefined)
    return value === undefined || value === null || isObject(value) ? "" : String(value);
  return textAt(expand(value, field)[name], rest, childrenOf(field)[name]);
}

export interface FieldState {
  /** What the direction sets; empty if it does not. */
  readonly own: string;
  /** What holds without that; empty if nothing does. */
  readonly otherwise: string;
}

export function readField(settings: Impairments, direction: Direction, { path }: FormField): FieldState {
  const [name = "", ...rest] = path;
  const object = settings[direction];
  const field = DIRECTION_FIELDS[name];
  const own = isObject(object) ? object[name] : undefined;
  // An impairment that the direction names replaces all of the inherited one.
  const otherwise = own === undefined ? textAt(inherited(settings, direction, name), rest, field) : "";
  return { own: textAt(own, rest, field), otherwise };
}

/** @returns undefined if nothing is left. */
function setAt(
  value: unknown,
  [name, ...rest]: readonly string[],
  field: Field | undefined,
  text: string,
): unknown {
  if (name === undefined) {
    if (text === "") return undefined;
    return field?.kind === "integer" && /^\d+$/.test(text) ? Number(text) : text;
  }
  const { [name]: before, ...others } = expand(value, field);
  const child = childrenOf(field)[name];
  const after = setAt(before, rest, child, text);
  if (after !== undefined) return { ...others, [name]: after };
  // The rest of a group means nothing without the field that it requires.
  const isRequired = child !== undefined && "required" in child && child.required;
  return isRequired || Object.keys(others).length === 0 ? undefined : others;
}

/** Sets a parameter of a direction, or removes it if the text is empty. Everything else stays. */
export function withField(
  settings: Impairments,
  direction: Direction,
  { path }: FormField,
  typed: string,
): Impairments {
  const [name = "", ...rest] = path;
  const text = typed.trim();
  const object = isObject(settings[direction]) ? settings[direction] : {};
  const { [name]: own, ...others } = object;
  if (own === undefined && text === "") return settings;
  const before = own === undefined ? inherited(settings, direction, name) : own;
  const after = setAt(before, rest, DIRECTION_FIELDS[name], text);
  return withKey(settings, direction, after === undefined ? others : { ...others, [name]: after });
}

/** Replaces a key of the set; an empty object or undefined removes it. */
export function withKey(settings: Impairments, key: string, value: unknown): Impairments {
  const { [key]: _before, ...others } = settings;
  const isEmpty = value === undefined || (isObject(value) && Object.keys(value).length === 0);
  return isEmpty ? others : { ...others, [key]: value };
}

const amount = (value: number): string => value.toLocaleString("en");

function boundsOf(field: Field | undefined): string {
  if (field === undefined || !("min" in field)) return "";
  const { kind, min, max } = field;
  if (kind === "time") return `${min / 1e6} to ${amount(max / 1e6)} ms`;
  if (kind === "chance") return `${min / 1e7} to ${max / 1e7} %`;
  if (kind === "rate") return `${min} bit/s to ${max / 1e12} Tbit/s`;
  return `${amount(min)} to ${amount(max)}`;
}

/** The bounds and the unit of a field: `0 to 100 %`. */
export function rangeOf({ path }: FormField): string {
  let fields = DIRECTION_FIELDS;
  let field: Field | undefined;
  for (const name of path) {
    field = fields[name];
    fields = childrenOf(field);
  }
  const unit = { limit: " packets", bytes: " bytes" }[path.at(-1)!] ?? "";
  return boundsOf(field) + unit;
}

/** Where the service names the field: `body.both.delay.jitter`. */
export const pathOf = (direction: Direction, { path }: FormField): string =>
  ["body", direction, ...path].join(".");
