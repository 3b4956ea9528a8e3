/**
 * Selects packets of a pcapng. Removes the blocks of packets that fail the test and keeps all other blocks byte for byte,
 * including interfaces, times, comments and secrets. Only the length of a section, which changes, is set to "not specified".
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
  /** The fault of the block after those sifted; reading stops there. */
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
   * Sifts the next chunk of the file, which must not be empty, nor be changed before the end of the next call.
   * @returns the bytes kept of the blocks that are now complete.
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

  /** Ends the file. Throws the reader's CaptureError if it ends in the middle of a block. */
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
  // -1: not specified.
  header.fill(0xff, SECTION_LENGTH_AT, SECTION_LENGTH_END);
  kept.add(header, 0, header.length);
}

/** The section header's block type is the same in both byte orders. */
const isSectionHeader = (bytes: Uint8Array, at: number): boolean =>
  new DataView(bytes.buffer, bytes.byteOffset).getUint32(at) === SECTION_HEADER_BLOCK;

/** Spans of bytes; adjacent spans are joined. */
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
