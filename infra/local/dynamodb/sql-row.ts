/** Reads columns of SQLite's rows, whose types the database does not promise. */
import type { SQLOutputValue } from "node:sqlite";

export type SqlRow = Readonly<Record<string, SQLOutputValue>>;

/** @throws Error for a column that is missing, NULL or of another type. */
export function textOf(row: SqlRow, column: string): string {
  const value = row[column];
  if (typeof value !== "string") throw unexpected(column, "a text", value);
  return value;
}

/** @returns undefined for NULL. */
export const optionalText = (row: SqlRow, column: string): string | undefined =>
  row[column] === null ? undefined : textOf(row, column);

export function integerOf(row: SqlRow, column: string): number {
  const value = row[column];
  if (typeof value !== "number" || !Number.isInteger(value)) throw unexpected(column, "an integer", value);
  return value;
}

const unexpected = (column: string, wanted: string, value: unknown): Error =>
  new Error(
    `The column ${column} of the database must be ${wanted}, and is ${value === null ? "NULL" : typeof value}`,
  );
