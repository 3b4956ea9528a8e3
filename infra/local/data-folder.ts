/** Locks the data folder, so that one instance uses it at a time. */
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeFolder } from "./make-folder.ts";
import { LocalProblem } from "./problem.ts";

/**
 * Creates the folder if it does not exist, and writes this process to the file `lock`. Takes over the lock of a process
 * that has ended.
 * @returns a function that releases the lock. @throws LocalProblem when a running instance holds the lock.
 */
export function holdDataFolder(folder: string): () => void {
  makeFolder(folder);
  const file = join(folder, "lock");
  const own = `${process.pid} ${startOf(process.pid)}\n`;
  for (;;) {
    try {
      writeFileSync(file, own, { flag: "wx" });
      return () => rmSync(file, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
    const holder = readHolder(file);
    if (holder !== null && isAlive(holder.pid, holder.start)) {
      throw new LocalProblem(
        `${folder} is in use by another instance (process ${holder.pid}). ` +
          "Stop that one, or choose another folder: WIRELAB_DATA=<folder> npm start",
      );
    }
    rmSync(file, { force: true });
  }
}

function readHolder(file: string): { pid: number; start: string } | null {
  try {
    const [pid, start = ""] = readFileSync(file, "utf8").trim().split(" ");
    return Number(pid) > 0 ? { pid: Number(pid), start } : null;
  } catch {
    return null;
  }
}

function isAlive(pid: number, start: string): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
  return startOf(pid) === start;
}

/**
 * Returns the start time of a process in the kernel's ticks, since the kernel reuses process ids (immediately after the
 * restart of a container). Returns an empty string for a zombie process, and on systems without /proc, where only the
 * process id identifies the holder.
 */
function startOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return fields[0] === "Z" ? "" : (fields[19] ?? "");
  } catch {
    return "";
  }
}
