/** Formats file system errors for the user. */

import { getSystemErrorMessage } from "node:util";
import { DataError } from "./failure.ts";

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  EISDIR: "it is a folder",
  EACCES: "permission denied",
  ENOSPC: "no space is left on the device",
};

/** Runs `work` on a file. Converts a file system error to a DataError that names the file. */
export function onFile<T>(action: "read" | "write", path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw explainFileError(error, action, path);
  }
}

/** Returns the DataError for a file system error; any other error unchanged. */
export function explainFileError(error: unknown, action: "read" | "write", path: string): unknown {
  if (!(error instanceof Error && "syscall" in error && "code" in error && "errno" in error)) return error;
  const code = String(error.code);
  const isFolderMissing = code === "ENOENT" && action === "write";
  const reason = isFolderMissing ? "its folder does not exist" : REASONS[code];
  return new DataError(`cannot ${action} ${path}: ${reason ?? getSystemErrorMessage(Number(error.errno))}`);
}
