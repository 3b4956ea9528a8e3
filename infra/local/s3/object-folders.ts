/**
 * Makes the folders of objects durable, and deletes those that deleted objects leave empty, except folders with a write in progress. This
 * process performs all writes, so it can count them. It deletes a folder synchronously, so that no write can begin between the check of
 * the count and the deletion.
 */
import { dirname } from "node:path";
import { type Files, syncFolder } from "./files.ts";

export class ObjectFolders {
  readonly #files: Files;
  /** Folder -> number of writes in progress. */
  readonly #writes = new Map<string, number>();
  /** Folders whose entry in the folder above is on the disk. */
  readonly #durable = new Set<string>();

  constructor(files: Files) {
    this.#files = files;
  }

  /** Performs a write to a folder, which exists meanwhile. A write that fails leaves no empty folder. */
  async write<T>(folder: string, root: string, perform: () => Promise<T>): Promise<T> {
    this.#count(folder, 1);
    try {
      await this.#make(folder, root);
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
      if (this.#isWrittenTo(at) || !this.#removeEmpty(at)) return;
    }
  }

  /** Another process may have made a folder and ended before its entry was on the disk, so each folder is synchronized once. */
  async #make(folder: string, root: string): Promise<void> {
    await this.#files.mkdir(folder, { recursive: true });
    const fresh: string[] = [];
    for (let at = folder; at.startsWith(root) && !this.#durable.has(at); at = dirname(at)) fresh.unshift(at);
    for (const each of fresh) {
      await syncFolder(this.#files, dirname(each));
      this.#durable.add(each);
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

  /** @returns false if the folder is not empty. */
  #removeEmpty(folder: string): boolean {
    try {
      this.#files.rmdirSync(folder);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "ENOTEMPTY" || code === "EEXIST") return false;
      if (code !== "ENOENT") throw error;
    }
    this.#durable.delete(folder);
    return true;
  }
}
