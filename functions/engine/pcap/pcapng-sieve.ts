/**
 * Picks packets out of a pcapng. Blocks of packets that fail the test are left out; all other blocks stay byte for byte, so
 * that interfaces, times, comments and secrets stay with the packets. Only the length of a section, which is not the same
 * any more, is left open.
 */

import type { CaptureError } from "./capture-error.ts";
import { ChunkWindow } from "./chunk-window.ts";
import type { CaptureInterface } from "./decoder.ts";
import type { CaptureFrame } from "./frame.ts";
import { SECTION_HEADER_BLOCK } from "./pcapng-format.ts";
import { PcapngDecoder } from "./pcapng-reader.ts";

const SECTION_LENGTH_AT = 16;
const SECTION_LENGTH_END = 24;

export type FrameTest = (frame: CaptureFrame) => boolean;

export class PcapngSieve {
  /** Packets seen, and packets kept. */
  packets = 0;
  kept = 0;
  /** What is wrong with the block that follows those sifted; nothing can be read after it. */
  fault: CaptureError | undefined;
  readonly #passes: FrameTest;
  readonly #decoder = new PcapngDecoder();
  readonly #window = new ChunkWindow();

  constructor(passes: FrameTest) {
    this.#passes = passes;
  }

  /** The interfaces described so far, over all sections. */
  get interfaces(): readonly CaptureInterface[] {
    return this.#decoder.interfaces;
  }

  /**
   * Goes through the next piece of the file, not empty, which must not be changed before the end of the next call.
   * @returns what is kept of the blocks that are complete now.
   */
  sift(chunk: Uint8Array): Uint8Array[] {
    const window = this.#window;
    const kept = new Runs();
    kept.add(chunk, 0, Math.min(window.skipping, chunk.length));
    window.append(chunk);
    const frames: CaptureFrame[] = [];
    for (let isMore = true; isMore; ) {
      const { bytes, start, offset } = window;
      isMore = this.#step(frames);
      const end = start + window.offset - offset;
      const frame = frames.pop();
      if (frame === undefined) keepBlock(kept, bytes, start, end);
      else if (this.#isKept(frame)) kept.add(bytes, start, end);
    }
    return kept.take();
  }

  /** The file ends here. Throws the reader's CaptureError when that is in the middle of a block. */
  finish(): void {
    this.#decoder.finish(this.#window);
  }

  #step(frames: CaptureFrame[]): boolean {
    try {
      return this.#decoder.step(this.#window, frames);
    } catch (error) {
      this.fault = error as CaptureError;
      return false;
    }
  }

  #isKept(frame: CaptureFrame): boolean {
    this.packets += 1;
    const isKept = this.#passes(frame);
    if (isKept) this.kept += 1;
    return isKept;
  }
}

function keepBlock(kept: Runs, bytes: Uint8Array, start: number, end: number): void {
  if (end - start < SECTION_LENGTH_END || !isSectionHeader(bytes, start)) {
    kept.add(bytes, start, end);
    return;
  }
  const header = bytes.slice(start, end);
  // -1: not stated.
  header.fill(0xff, SECTION_LENGTH_AT, SECTION_LENGTH_END);
  kept.add(header, 0, header.length);
}

/** The block type reads the same in either byte order. */
const isSectionHeader = (bytes: Uint8Array, at: number): boolean =>
  new DataView(bytes.buffer, bytes.byteOffset).getUint32(at) === SECTION_HEADER_BLOCK;

/** Spans of bytes, those that follow each other joined. */
class Runs {
  readonly #runs: Uint8Array[] = [];
  #bytes: Uint8Array | undefined;
  #start = 0;
  #end = 0;

  add(bytes: Uint8Array, start: number, end: number): void {
    if (start === end) return;
    if (bytes !== this.#bytes || start !== this.#end) {
      this.#close();
      this.#bytes = bytes;
      this.#start = start;
    }
    this.#end = end;
  }

  take(): Uint8Array[] {
    this.#close();
    return this.#runs;
  }

  #close(): void {
    if (this.#bytes !== undefined) this.#runs.push(this.#bytes.subarray(this.#start, this.#end));
  }
}
