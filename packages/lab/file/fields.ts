/** Reads data whose shape is not certain. */

export type Fields = Readonly<Record<string, unknown>>;

/** @returns no fields for what is no object. */
export const fieldsOf = (value: unknown): Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : {};

/** @returns the fields of each item; none for what is no list. */
export const rowsOf = (value: unknown): readonly Fields[] =>
  Array.isArray(value) ? value.map(fieldsOf) : [];
