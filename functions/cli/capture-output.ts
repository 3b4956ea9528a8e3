/**
 * Where a capture goes: a file or standard output.
 *
 * A file appears whole or not at all: it is written under another name beside its place, and takes its place at the end.
 * What is no regular file (/dev/null, a named pipe) is written to as it is.
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

/** Signals that end a program; a temporary file goes before it does. */
const ENDING_SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

export interface CaptureOutput {
  /** Resolves when the bytes may be changed again and more may come. Throws a ClosedPipe when the reader has closed its end. */
  write(bytes: Uint8Array): Promise<void>;
  /** All is written. */
  commit(): Promise<void>;
  /** Leaves nothing behind; after `commit` it does nothing. */
  abandon(): Promise<void>;
}

/** Opens a path, or standard output for "-". Throws a CommandLineError when it is the input's own file, a DataError when it cannot be written. */
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
  if (present !== undefined && !present.isFile()) return new FileOutput(path, openSync(path, "w"));
  // A symbolic link stays; the file behind it is replaced or made.
  const target = present === undefined ? followLinks(path) : realpathSync(path);
  // A name of its own: a file left by a killed run, and a target with the longest name possible, must not stand in the way.
  const temporary = join(dirname(target), `.wirelab-${crypto.randomUUID()}.tmp`);
  return new FileOutput(path, openSync(temporary, "wx", present?.mode), { temporary, target });
}

/** Takes everything and keeps nothing. */
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

/** The file that is to be made for a path at whose end there is none: behind all links, if it is one that dangles. */
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

  /** @param path as the user gave it, for errors. */
  constructor(path: string, fd: number, names?: { temporary: string; target: string }) {
    this.#path = path;
    this.#fd = fd;
    this.#names = names;
    const stats = fstatSync(fd);
    this.#waits = !stats.isFile() && !stats.isCharacterDevice();
    if (names !== undefined) for (const signal of ENDING_SIGNALS) process.once(signal, this.#onSignal);
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
    for (const signal of ENDING_SIGNALS) process.off(signal, this.#onSignal);
    closeSync(this.#fd);
  }

  readonly #onSignal = (signal: NodeJS.Signals): void => {
    rmSync(this.#names!.temporary, { force: true });
    // The listener is gone by now, so that this ends the program as the signal would have.
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
