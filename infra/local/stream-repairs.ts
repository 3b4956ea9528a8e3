/**
 * Corrects two properties of Dynoxide's streams, in its database. Dynoxide numbers a record by the largest number of all records, which it
 * looks up without an index, and it deletes none: each write would take longer than the one before, and the file would grow for ever.
 * Dynoxide begins its transactions with the write lock, so another process may write between them.
 */
import { DatabaseSync } from "node:sqlite";

const NUMBER = "CAST(sequence_number AS INTEGER)";

export interface StreamRepairs {
  /** Deletes a table's records before the one with this number, which stays because the next number follows it. */
  trim(tableName: string, sequenceNumber: string): void;
  close(): void;
}

/** @param file Dynoxide's database; Dynoxide runs. */
export function repairStreams(file: string): StreamRepairs {
  // The index is needed once, so its creation may wait for the lock; a deletion may be skipped.
  const database = new DatabaseSync(file, { timeout: 5_000 });
  database.exec(`CREATE INDEX IF NOT EXISTS _stream_numbers ON _stream_records (table_name, ${NUMBER})`);
  database.exec("PRAGMA busy_timeout = 0");
  const remove = database.prepare(
    `DELETE FROM _stream_records WHERE table_name = ? AND ${NUMBER} < CAST(? AS INTEGER)`,
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
