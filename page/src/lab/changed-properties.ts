/** What a request says of a node's properties: the service keeps those that it does not name, and null removes one. Pure. */
import { type Fields, isSame } from "./own-changes.ts";

interface WithProperties {
  readonly properties: Fields;
}

/** @param fields that a request is to change. */
export function changedProperties({ properties: before }: WithProperties, fields: Fields): Fields {
  const after = fields.properties as Fields | undefined;
  if (after === undefined) return fields;
  const changed = Object.keys({ ...before, ...after }).filter((key) => !isSame(before[key], after[key]));
  return { ...fields, properties: Object.fromEntries(changed.map((key) => [key, after[key] ?? null])) };
}
