/**
 * Deletes the records of streams that all functions have handled, in the file of the embedded DynamoDB: AWS deletes records after a day, and the
 * file would grow for that long. The database begins its transactions with the write lock, so another connection may write between them.
 */
import { DatabaseSync } from "node:sqlite";

export interface StreamTrimmer {
  /** Deletes a table's records before the one with this number, which stays because the next number follows it. */
  trim(tableName: string, sequenceNumber: string): void;
  close(): void;
}

/** @param file the database of the embedded DynamoDB, which runs. */
export function openTrimmer(file: string): StreamTrimmer {
  // A deletion may be skipped: a later one deletes the same records.
  const database = new DatabaseSync(file, { timeout: 0 });
  const remove = database.prepare(
    "DELETE FROM _stream_records WHERE table_name = ? AND CAST(sequence_number AS INTEGER) < CAST(? AS INTEGER)",
  );
  return {
    trim(tableName, sequenceNumber) {
      try {
        remove.run(tableName, sequenceNumber);
      } catch (error) {
        if (!isBusy(error)) throw error;
      }
    },
    close: () => database.close(),
  };
}

/** SQLite's result code SQLITE_BUSY: https://www.sqlite.org/rescode.html#busy */
const BUSY = 5;
const isBusy = (error: unknown): boolean => (error as { errcode?: number }).errcode === BUSY;
