/** Values of settings as JSON: read and replaced at a path, and typed as text. Pure. */
import type { Form, Row, Scalar } from "./form.ts";

export type Path = readonly (string | number)[];
export type Properties = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Properties =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** A record of defaults may be stored as true. */
const recordIn = (value: unknown): Properties => (isObject(value) ? value : {});

export const valueAt = (value: unknown, path: Path): unknown =>
  path.reduce<unknown>(
    (within, step) =>
      Array.isArray(within) ? within[Number(step)] : isObject(within) ? within[step] : undefined,
    value,
  );

/** Replaces the value at a path; undefined removes it. A path into an item that is gone changes nothing. */
export function withValue(value: unknown, [step, ...rest]: Path, next: unknown): unknown {
  if (step === undefined) return next;
  if (typeof step === "number") {
    const items = Array.isArray(value) ? value : value === undefined ? [] : [value];
    return step >= items.length ? value : items.with(step, withValue(items[step], rest, next));
  }
  const { [step]: before, ...others } = recordIn(value);
  const after = withValue(before, rest, next);
  if (after === undefined) return others;
  return Object.hasOwn(recordIn(value), step)
    ? { ...recordIn(value), [step]: after }
    : { ...others, [step]: after };
}

/** The items of a list, one of which may stand without it. */
export const itemsOf = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value : value === undefined || value === null ? [] : [value];

export const entriesOf = (value: unknown): readonly (readonly [string, unknown])[] =>
  Object.entries(recordIn(value));

export const textOf = (value: unknown): string =>
  value === undefined || value === null ? "" : typeof value === "string" ? value : JSON.stringify(value);

/** The value that a text stands for. What is no value stays text, and the reader names what is wrong. */
export function parseText(form: Form, typed: string): unknown {
  const isLong = form.kind === "text" && form.isLong;
  const text = isLong ? typed : typed.trim();
  if (text === "") return undefined;
  const isNumber = form.kind === "integer" || (form.kind === "text" && form.takesNumber);
  return isNumber && /^-?\d+$/.test(text) ? Number(text) : text;
}

export const linesOf = (value: unknown): string => itemsOf(value).map(textOf).join("\n");

/** Each line is an item; an empty one at the end is none. */
export function parseLines(item: Form, typed: string): readonly unknown[] | undefined {
  const lines = typed.replace(/\s+$/, "").split("\n");
  return lines.length === 1 && lines[0] === "" ? undefined : lines.map((line) => parseText(item, line) ?? "");
}

export const optionOf = (options: readonly Scalar[], text: string): Scalar | undefined =>
  options.find((option) => String(option) === text);

/** Whether a record is there: true stands for its defaults. */
export const isOn = (value: unknown, otherwise: unknown): boolean => {
  const given = value ?? otherwise;
  return given !== undefined && given !== null && given !== false;
};

/** A new item of a list. */
export function newItem(form: Form): unknown {
  if (form.kind === "list") return [];
  if (form.kind === "variants") return { [form.by]: form.of[0]?.word };
  return form.kind === "record" || form.kind === "map" ? {} : "";
}

const amount = (value: number): string => value.toLocaleString("en");

/** What the row's own words do not name: the bounds of a number, and what a text is. */
export function rangeOf({ form, about }: Row): string {
  if (form.kind === "text") return form.hint;
  if (form.kind !== "integer" || form.max === Number.MAX_SAFE_INTEGER) return "";
  const range = `${amount(form.min)} to ${amount(form.max)}`;
  return about.includes(range) ? "" : range;
}
