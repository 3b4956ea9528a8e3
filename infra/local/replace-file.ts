import { closeSync, fsyncSync, openSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/** Replaces a file at once: after a kill or a power cut it has the content from before or the new one. */
export function replaceFile(file: string, content: string, mode = 0o666): void {
  const unfinished = `${file}.new`;
  writeFileSync(unfinished, content, { mode, flush: true });
  renameSync(unfinished, file);
  // Windows synchronizes no folders: NTFS has a journal of its names.
  if (process.platform === "win32") return;
  const folder = openSync(dirname(file), "r");
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
