/** Explains in one line why a start failed and how to fix it, if the cause is outside of the program. */
import { statfsSync } from "node:fs";
import { resolve } from "node:path";
import { LocalProblem } from "./problem.ts";

const ANOTHER_FOLDER = "choose another folder: WIRELAB_DATA=<folder> npm start";

const isFull = (text: string): boolean =>
  /\b(ENOSPC|EDQUOT)\b|no space left on device|(database or )?disk (is )?full|disk quota exceeded/i.test(
    text,
  );

/** A disk with less free space counts as full: a copy of the assembly needs about 6 MB. */
const LITTLE_BYTES = 1_000_000;

/** @returns undefined if the folder does not exist. */
function freeBytesAt(folder: string): number | undefined {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return undefined;
  }
}

/**
 * @param freeBytes returns the free space on the folder's disk, in bytes.
 * @returns a LocalProblem that replaces a file system error below `folder`; any other error unchanged.
 */
export function explainStart(error: unknown, folder: string, freeBytes = freeBytesAt): unknown {
  const { code = "", path, syscall, message } = error as NodeJS.ErrnoException;
  // The message may be that of a child process: the CDK app or the database.
  // `cpSync` of Node.js 24.21 reports EIO when the disk is full.
  const hasNoSpace = code === "EIO" && (freeBytes(folder) ?? LITTLE_BYTES) < LITTLE_BYTES;
  if (hasNoSpace || isFull(`${code} ${message}`)) {
    return new LocalProblem(`No space is left on the disk of ${folder}: free some, or ${ANOTHER_FOLDER}`);
  }
  if (error instanceof LocalProblem || path === undefined) return error;
  const place = resolve(String(path));
  if (["EACCES", "EPERM", "EROFS"].includes(code)) {
    return new LocalProblem(
      `${place} cannot be written (${code}): change its permissions, or ${ANOTHER_FOLDER}`,
    );
  }
  if (["ENOTDIR", "EEXIST"].includes(code)) {
    return new LocalProblem(
      `${place} is a file, or in one, where a folder is needed: move the file, or ${ANOTHER_FOLDER}`,
    );
  }
  if (["EISDIR", "ERR_FS_EISDIR"].includes(code)) {
    return new LocalProblem(
      `${place} is a folder where a file is needed: move the folder, or ${ANOTHER_FOLDER}`,
    );
  }
  if (code === "EIO") return new LocalProblem(`${place} cannot be read or written (EIO): check its disk`);
  if (syscall === "mkdir") {
    return new LocalProblem(`${place} cannot be created (${code}): ${ANOTHER_FOLDER}`);
  }
  return error;
}
