/** The folder that the data lives in, held by one instance at a time. */
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeFolder } from "./make-folder.ts";
import { LocalProblem } from "./problem.ts";

/**
 * Creates the folder when it is not there and writes who holds it to `lock`. A lock whose holder is dead is taken over.
 * @returns what gives the folder back. @throws LocalProblem when another instance is at work in it.
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
 * When a process began, in the kernel's ticks: process ids are used again, after a restart of a container at once.
 * Empty for one that has ended and was not yet noticed by its parent, and where there is no /proc: the id alone has
 * to do there.
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
