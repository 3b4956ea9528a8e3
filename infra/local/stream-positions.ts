/** How far functions have handled the changes of tables, in a file that is written at most once a second. */
import { readFileSync, renameSync, writeFileSync } from "node:fs";

/** Of a shard that has ended. */
export const DONE = "done";
const STORE_EVERY_MS = 1_000;

/** The last sequence number that a function has handled, or `DONE`, by function, stream and shard. */
export class StreamPositions {
  readonly #file: string | undefined;
  readonly #byShard: Record<string, string>;
  #timer: NodeJS.Timeout | undefined;

  /** @param file undefined if the tables do not outlive the process. */
  constructor(file: string | undefined) {
    this.#file = file;
    this.#byShard = file === undefined ? {} : readPositions(file);
  }

  get(shard: string): string | undefined {
    return this.#byShard[shard];
  }

  /** Returns the lowest of the positions; undefined while one of them is missing. */
  lowest(shards: readonly string[]): string | undefined {
    const all = shards.map((shard) => this.#byShard[shard]);
    if (all.includes(undefined)) return undefined;
    const left = all.filter((position) => position !== DONE) as string[];
    return left.toSorted((a, b) => (BigInt(a) < BigInt(b) ? -1 : 1))[0];
  }

  /** After a kill, changes since the position that was stored last are handled again. */
  set(shard: string, position: string): void {
    this.#byShard[shard] = position;
    this.#timer ??= setTimeout(() => this.store(), STORE_EVERY_MS);
  }

  /** Stores what is not stored yet. */
  store(): void {
    if (this.#timer === undefined) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#file === undefined) return;
    writeFileSync(`${this.#file}.new`, JSON.stringify(this.#byShard));
    renameSync(`${this.#file}.new`, this.#file);
  }
}

/** Without positions all changes in the stream are read again, which the functions accept. */
function readPositions(file: string): Record<string, string> {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as Record<string, string>;
  } catch {
    return {};
  }
}
