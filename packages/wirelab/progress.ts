/** Shows the progress of a long run on a terminal. */

import type { CaptureInput } from "./capture-input.ts";
import type { Surroundings } from "./command-line.ts";

/** Smaller files are processed before a user could read a bar. */
const SHOWN_FROM_BYTES = 50_000_000;
const SHOWN_EVERY_MS = 100;
const BAR_CHARACTERS = 30;
const ERASE_LINE = "\r\u001b[K";

export class Progress {
  readonly #stderr: Surroundings["stderr"] | undefined;
  readonly #sizeBytes: number;
  readonly #nowMs: () => number;
  readonly #startMs: number;
  #doneBytes = 0;
  #shownMs = Number.NEGATIVE_INFINITY;

  /** Shows nothing for an input of unknown or small size, or without a terminal. */
  constructor(
    { sizeBytes = 0 }: Pick<CaptureInput, "sizeBytes">,
    surroundings: Surroundings,
    nowMs = monotonicMs,
  ) {
    const shown = sizeBytes > SHOWN_FROM_BYTES && surroundings.stderr.isTTY === true;
    this.#stderr = shown ? surroundings.stderr : undefined;
    this.#sizeBytes = sizeBytes;
    this.#nowMs = nowMs;
    this.#startMs = nowMs();
  }

  /** Adds to the number of processed bytes. */
  advance(bytes: number): void {
    this.#doneBytes += bytes;
    if (this.#stderr === undefined) return;
    const now = this.#nowMs();
    if (now - this.#shownMs < SHOWN_EVERY_MS) return;
    this.#shownMs = now;
    this.#stderr.write(`\r${this.#bar(now - this.#startMs)}`);
  }

  /** Clears the line. */
  end(): void {
    this.#stderr?.write(ERASE_LINE);
  }

  #bar(elapsedMs: number): string {
    // A file that grows while it is read yields more than its initial size.
    const share = Math.min(1, this.#doneBytes / this.#sizeBytes);
    const filled = Math.round(share * BAR_CHARACTERS);
    const bar = "#".repeat(filled).padEnd(BAR_CHARACTERS, ".");
    const rate = elapsedMs > 0 ? `  ${Math.round(this.#doneBytes / elapsedMs / 1000)} MB/s` : "";
    return `[${bar}] ${String(Math.floor(100 * share)).padStart(3)} %${rate}`;
  }
}

function monotonicMs(): number {
  return performance.now();
}
