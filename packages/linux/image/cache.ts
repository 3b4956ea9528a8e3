/** Files by their SHA-256 in a folder: what is there is not fetched again. */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ImageError } from "./image-error.ts";

export class Cache {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** @throws ImageError if the fetched bytes have another hash. */
  async get(sha256: string, fetch: () => Promise<Uint8Array>): Promise<Uint8Array> {
    const path = join(this.#folder, sha256);
    if (existsSync(path)) {
      const stored = readFileSync(path);
      if (sha256Of(stored) === sha256) return stored;
    }
    const bytes = await fetch();
    if (sha256Of(bytes) !== sha256) throw new ImageError(`a fetched file has another SHA-256 than ${sha256}`);
    mkdirSync(this.#folder, { recursive: true });
    // A process that dies while it writes leaves no file with that name.
    const unfinished = `${path}.${process.pid}`;
    writeFileSync(unfinished, bytes);
    renameSync(unfinished, path);
    return bytes;
  }
}

export const sha256Of = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");
