/**
 * Deletes the folders that deleted objects leave empty, except those with a write in progress. This process performs all writes, so
 * it can count them. It deletes a folder synchronously, so that no write can begin between the check of the count and the deletion.
 */
import { rmdirSync } from "node:fs";
import { dirname } from "node:path";

export class ObjectFolders {
  /** Folder -> number of writes in progress. */
  readonly #writes = new Map<string, number>();

  /** Performs a write to a folder, which is not deleted meanwhile. A write that fails leaves no empty folder. */
  async write<T>(folder: string, root: string, perform: () => Promise<T>): Promise<T> {
    this.#count(folder, 1);
    try {
      const written = await perform();
      this.#count(folder, -1);
      return written;
    } catch (error) {
      this.#count(folder, -1);
      this.prune(folder, root);
      throw error;
    }
  }

  /** Deletes an empty folder, and its parents that become empty, below the root. */
  prune(folder: string, root: string): void {
    for (let at = folder; at !== root && at.startsWith(root); at = dirname(at)) {
      if (this.#isWrittenTo(at) || !removeEmpty(at)) return;
    }
  }

  #count(folder: string, change: 1 | -1): void {
    const writes = (this.#writes.get(folder) ?? 0) + change;
    if (writes === 0) this.#writes.delete(folder);
    else this.#writes.set(folder, writes);
  }

  #isWrittenTo(folder: string): boolean {
    for (const each of this.#writes.keys()) if (each === folder || each.startsWith(`${folder}/`)) return true;
    return false;
  }
}

/** @returns false if the folder is not empty. */
function removeEmpty(folder: string): boolean {
  try {
    rmdirSync(folder);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return true;
    if (code === "ENOTEMPTY" || code === "EEXIST") return false;
    throw error;
  }
}
