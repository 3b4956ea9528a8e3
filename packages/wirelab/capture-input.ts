/** The source of a capture: a file or standard input. */

import { closeSync, fstatSync, openSync, read, readSync, type Stats } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { promisify } from "node:util";
import { STANDARD_STREAM, type Surroundings } from "./command-line.ts";
import { explainFileError, onFile } from "./file-error.ts";

export interface CaptureInput {
  /** Size of a regular file; undefined for an input of unknown length. */
  readonly sizeBytes: number | undefined;
  /** The file's status, if it has one. */
  readonly stats: Stats | undefined;
  /** Reads bytes to the beginning of `target`; returns their number, 0 at the end of the input. */
  read(target: Uint8Array): Promise<number>;
  close(): Promise<void>;
}

/** Opens a path, or standard input for "-". Throws a DataError if the file cannot be read. */
export async function openInput(path: string, { stdin }: Pick<Surroundings, "stdin">): Promise<CaptureInput> {
  if (path === STANDARD_STREAM) return new StreamInput(stdin);
  return new FileInput(
    path,
    onFile("read", path, () => openSync(path, "r")),
  );
}

/** Reads until `target` is full or the input ends; returns the number of bytes. */
export async function readFully(input: CaptureInput, target: Uint8Array): Promise<number> {
  let filled = 0;
  while (filled < target.length) {
    const count = await input.read(target.subarray(filled));
    if (count === 0) break;
    filled += count;
  }
  return filled;
}

/** The maximum time that file reads may block the event loop, so that signals are handled soon. */
const BUSY_MS = 50;
const readLater = promisify(read);

class FileInput implements CaptureInput {
  readonly stats: Stats;
  readonly #path: string;
  readonly #fd: number;
  #turnMs = performance.now();

  constructor(path: string, fd: number) {
    this.#path = path;
    this.#fd = fd;
    this.stats = fstatSync(fd);
  }

  get sizeBytes(): number | undefined {
    return this.stats.isFile() ? this.stats.size : undefined;
  }

  /** Reads a regular file synchronously: a read on another thread takes twice as long. */
  async read(target: Uint8Array): Promise<number> {
    if (!this.stats.isFile()) {
      const { bytesRead } = await readLater(this.#fd, target, 0, target.length, null).catch((error) => {
        throw explainFileError(error, "read", this.#path);
      });
      return bytesRead;
    }
    if (performance.now() - this.#turnMs > BUSY_MS) {
      await setImmediate();
      this.#turnMs = performance.now();
    }
    return onFile("read", this.#path, () => readSync(this.#fd, target, 0, target.length, null));
  }

  async close(): Promise<void> {
    closeSync(this.#fd);
  }
}

class StreamInput implements CaptureInput {
  readonly sizeBytes = undefined;
  readonly stats: Stats | undefined;
  readonly #stream: Surroundings["stdin"];
  readonly #chunks: AsyncIterator<Uint8Array>;
  /** The unread remainder of the last chunk. */
  #rest: Uint8Array = new Uint8Array(0);

  constructor(stream: Surroundings["stdin"]) {
    this.stats = stream.fd === undefined ? undefined : fstatSync(stream.fd);
    this.#stream = stream;
    this.#chunks = stream[Symbol.asyncIterator]();
  }

  async read(target: Uint8Array): Promise<number> {
    while (this.#rest.length === 0) {
      const { done, value } = await this.#chunks.next().catch((error) => {
        throw explainFileError(error, "read", "standard input");
      });
      if (done) return 0;
      this.#rest = value;
    }
    const count = Math.min(this.#rest.length, target.length);
    target.set(this.#rest.subarray(0, count));
    this.#rest = this.#rest.subarray(count);
    return count;
  }

  async close(): Promise<void> {
    this.#stream.destroy();
  }
}
