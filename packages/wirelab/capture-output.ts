/**
 * The destination of a capture: a file or standard output.
 *
 * Writes a file under a temporary name in the same folder and renames it at the end, so that it is never incomplete. Writes
 * directly to a path that is not a regular file (/dev/null, a named pipe).
 */

import {
  closeSync,
  fstatSync,
  lstatSync,
  openSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  write,
  writeSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Writable } from "node:stream";
import { promisify } from "node:util";
import type { CaptureInput } from "./capture-input.ts";
import { CommandLineError, STANDARD_STREAM, type Surroundings } from "./command-line.ts";
import { ClosedPipe } from "./failure.ts";
import { explainFileError, onFile } from "./file-error.ts";

/** Signals that end the program; it removes its temporary file first. */
const ENDING_SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

export interface CaptureOutput {
  /** Resolves when the caller may reuse the bytes and write more. Throws a ClosedPipe if the reader has closed its end. */
  write(bytes: Uint8Array): Promise<void>;
  /** Completes the output. */
  commit(): Promise<void>;
  /** Removes the written data; does nothing after `commit`. */
  abandon(): Promise<void>;
}

/** Opens a path, or standard output for "-". Throws a CommandLineError if it is the input's own file, a DataError if it cannot be written. */
export async function openOutput(
  path: string,
  input: CaptureInput,
  { stdout }: Pick<Surroundings, "stdout">,
): Promise<CaptureOutput> {
  if (path === "") throw new CommandLineError("the name of the output is empty");
  const isStandard = path === STANDARD_STREAM;
  const present = isStandard ? statsOfStream(stdout.fd) : statSync(path, { throwIfNoEntry: false });
  if (isSameFile(input.stats, present)) {
    throw new CommandLineError(`the output would overwrite the input: ${path}`);
  }
  if (isStandard) return new StreamOutput(stdout);
  return onFile("write", path, () => openFile(path, present));
}

function openFile(path: string, present: Stats | undefined): FileOutput {
  if (present !== undefined && !present.isFile()) return new FileOutput(path, () => openSync(path, "w"));
  // Keeps a symbolic link and replaces or creates its target.
  const target = present === undefined ? followLinks(path) : realpathSync(path);
  // A random name cannot clash with a file left by a killed run, and is short even if the target's name has maximum length.
  const temporary = join(dirname(target), `.wirelab-${crypto.randomUUID()}.tmp`);
  return new FileOutput(path, () => openSync(temporary, "wx", present?.mode), { temporary, target });
}

/** Discards all data. */
export const NO_OUTPUT: CaptureOutput = {
  async write() {},
  async commit() {},
  async abandon() {},
};

function statsOfStream(fd: number | undefined): Stats | undefined {
  return fd === undefined ? undefined : fstatSync(fd);
}

function isSameFile(a: Stats | undefined, b: Stats | undefined): boolean {
  return a !== undefined && b !== undefined && a.isFile() && a.dev === b.dev && a.ino === b.ino;
}

/** Returns the file to create for a path without a file: the end of the links, if it is a dangling link. */
function followLinks(path: string): string {
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return path;
  return followLinks(resolve(realpathSync(dirname(path)), readlinkSync(path)));
}

const writeLater = promisify(write);

class FileOutput implements CaptureOutput {
  readonly #path: string;
  readonly #fd: number;
  readonly #names: { temporary: string; target: string } | undefined;
  /** Whether a write may have to wait for a reader. */
  readonly #waits: boolean;
  #open = true;
  #committed = false;

  /** @param path the path as the user typed it, for errors. */
  constructor(path: string, open: () => number, names?: { temporary: string; target: string }) {
    this.#path = path;
    this.#names = names;
    // Before the file exists: a signal finds it removed, whenever it comes.
    if (names !== undefined) for (const signal of ENDING_SIGNALS) process.once(signal, this.#onSignal);
    try {
      this.#fd = open();
    } catch (error) {
      this.#stopListening();
      throw error;
    }
    const stats = fstatSync(this.#fd);
    this.#waits = !stats.isFile() && !stats.isCharacterDevice();
  }

  async write(bytes: Uint8Array): Promise<void> {
    for (let written = 0; written < bytes.length; ) {
      written += this.#waits
        ? (await writeLater(this.#fd, bytes, written).catch((error) => throwWriteError(error, this.#path)))
            .bytesWritten
        : onFile("write", this.#path, () => writeSync(this.#fd, bytes, written));
    }
  }

  async commit(): Promise<void> {
    onFile("write", this.#path, () => {
      this.#close();
      if (this.#names !== undefined) renameSync(this.#names.temporary, this.#names.target);
    });
    this.#committed = true;
  }

  async abandon(): Promise<void> {
    if (this.#committed) return;
    if (this.#open) this.#close();
    if (this.#names !== undefined) rmSync(this.#names.temporary, { force: true });
  }

  #close(): void {
    this.#open = false;
    this.#stopListening();
    closeSync(this.#fd);
  }

  #stopListening(): void {
    for (const signal of ENDING_SIGNALS) process.off(signal, this.#onSignal);
  }

  readonly #onSignal = (signal: NodeJS.Signals): void => {
    rmSync(this.#names!.temporary, { force: true });
    // The listener is removed, so the signal now ends the program with its default action.
    process.kill(process.pid, signal);
  };
}

class StreamOutput implements CaptureOutput {
  readonly #stream: Writable;

  constructor(stream: Writable) {
    this.#stream = stream;
    // Every write reports its own error; without a listener the event would end the program.
    stream.on("error", ignore);
  }

  write(bytes: Uint8Array): Promise<void> {
    return new Promise<void>((resolve, reject) => {
      this.#stream.write(bytes, (error) => (error ? reject(error) : resolve()));
    }).catch((error) => throwWriteError(error, "standard output"));
  }

  async commit(): Promise<void> {}

  async abandon(): Promise<void> {}
}

function ignore(): void {}

function throwWriteError(error: NodeJS.ErrnoException, path: string): never {
  const closed = error.code === "EPIPE" || error.code === "ERR_STREAM_DESTROYED";
  throw closed ? new ClosedPipe("the output is closed") : explainFileError(error, "write", path);
}
