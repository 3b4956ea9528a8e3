/** Reads capture files of either format, from chunks of any size. */

import { CaptureError, findCutOff } from "./capture-error.ts";
import { ChunkWindow } from "./chunk-window.ts";
import { ClassicDecoder } from "./classic-reader.ts";
import type { CaptureInterface, FrameDecoder } from "./decoder.ts";
import type { CaptureFrame } from "./frame.ts";
import { CLASSIC_FORMATS, GZIP_MAGIC, REFUSED_FORMATS } from "./magic-numbers.ts";
import { SECTION_HEADER_BLOCK } from "./pcapng-format.ts";
import { PcapngDecoder } from "./pcapng-reader.ts";

const MAGIC_BYTES = 4;

/**
 * An incremental reader. The caller must not change chunks afterwards: frames are views into them (see `CaptureFrame`).
 *
 * A CaptureError never hides the frames before it: `push` returns these first, and the next `push` or `finish` throws.
 */
export class CaptureReader {
  readonly #window = new ChunkWindow();
  #decoder: FrameDecoder | undefined;
  #failure: CaptureError | undefined;

  /** Returns the frames completed by the next chunk of the file. Throws the CaptureError found by this push or an earlier one. */
  push(chunk: Uint8Array): CaptureFrame[] {
    if (this.#failure !== undefined) throw this.#failure;
    const frames: CaptureFrame[] = [];
    try {
      this.#window.append(chunk);
      this.#decoder ??= this.#detect();
      this.#decoder?.decode(this.#window, frames);
    } catch (error) {
      this.#keepFailure(error, frames.length > 0);
    }
    return frames;
  }

  /** Ends the file. Throws a CaptureError if the file is bad or cut off. */
  finish(): void {
    if (this.#failure !== undefined) throw this.#failure;
    if (this.#decoder !== undefined) this.#decoder.finish(this.#window);
    else throw tooShort(this.#window.available);
  }

  /** Undefined until the first four bytes have arrived. */
  get format(): "pcap" | "pcapng" | undefined {
    return this.#decoder?.format;
  }

  /** The interfaces described so far; a classic pcap has one, known once its header has arrived. */
  get interfaces(): readonly CaptureInterface[] {
    return this.#decoder?.interfaces ?? [];
  }

  #detect(): FrameDecoder | undefined {
    if (this.#window.available < MAGIC_BYTES) return undefined;
    const magic = this.#window.view.getUint32(this.#window.start, false);
    if (magic === SECTION_HEADER_BLOCK) return new PcapngDecoder();
    const classic = CLASSIC_FORMATS.get(magic);
    if (classic !== undefined) return new ClassicDecoder(classic.littleEndian, classic.resolution);
    throw unknownFormat(magic);
  }

  #keepFailure(error: unknown, later: boolean): void {
    if (!(error instanceof CaptureError)) throw error;
    this.#failure = error;
    if (!later) throw error;
  }
}

export function makeCaptureReader(): CaptureReader {
  return new CaptureReader();
}

/** A whole capture file, or its fault. Both cases include the frames before the fault. */
export type CaptureFile =
  | {
      ok: true;
      format: "pcap" | "pcapng";
      interfaces: readonly CaptureInterface[];
      frames: CaptureFrame[];
      /** Set if the file is cut off in the middle of a record or block after the last frame. */
      cutOff: CaptureError | undefined;
    }
  | { ok: false; error: CaptureError; frames: CaptureFrame[] };

/** Reads a file held in memory; its frames are views into it. */
export function readCapture(file: Uint8Array): CaptureFile {
  const reader = new CaptureReader();
  let frames: CaptureFrame[] = [];
  let cutOff: CaptureError | undefined;
  try {
    frames = reader.push(file);
    cutOff = findCutOff(() => reader.finish());
  } catch (error) {
    if (error instanceof CaptureError) return { ok: false, error, frames };
    throw error;
  }
  const { format, interfaces } = reader;
  return { ok: true, format: format as "pcap" | "pcapng", interfaces, frames, cutOff };
}

function tooShort(sizeBytes: number): CaptureError {
  if (sizeBytes === 0) return new CaptureError("pcap.empty", 0, "pcap: the file is empty");
  const message = `pcap: the file ends after ${sizeBytes} bytes, before its magic number does`;
  return new CaptureError("pcap.header-truncated", 0, message);
}

function unknownFormat(magic: number): CaptureError {
  const known =
    magic >>> 16 === GZIP_MAGIC ? "compressed with gzip: decompress it first" : REFUSED_FORMATS.get(magic);
  const hex = magic.toString(16).padStart(8, "0");
  const message = known
    ? `pcap: the file is ${known}`
    : `pcap: not a capture file: it begins with ${hex}, neither pcap nor pcapng`;
  return new CaptureError("pcap.unknown-format", 0, message);
}
