/**
 * Selects records of a classic pcap in place: allocates nothing per packet and keeps the selected records byte for byte. Use it
 * to select few of many packets; `CaptureReader` reads both formats into frames.
 *
 *     before   [ record 1 | record 2 | record 3 | record 4 | the beginning of record 5 ]
 *     after    [ record 2 | record 4 |  ...  left over ... | the beginning of record 5 ]
 *              start             keptEnd                  restStart                   end
 */

import type { CaptureError } from "./capture-error.ts";
import { ChunkWindow } from "./chunk-window.ts";
import { FILE_HEADER_BYTES, RECORD_HEADER_BYTES, type Resolution } from "./classic-format.ts";
import { ClassicDecoder } from "./classic-reader.ts";
import type { CaptureInterface } from "./decoder.ts";
import { MAX_CAPTURED_BYTES } from "./frame.ts";
import { CLASSIC_FORMATS } from "./magic-numbers.ts";

export { FILE_HEADER_BYTES } from "./classic-format.ts";

/** The longest record, header included. */
export const MAX_RECORD_BYTES = RECORD_HEADER_BYTES + MAX_CAPTURED_BYTES;

/** Returns whether to keep the packet in bytes[start, end), of `wireLength` on the wire. It must not change the bytes. */
export type RecordTest = (bytes: Uint8Array, start: number, end: number, wireLength: number) => boolean;

export class RecordSieve {
  /** The file header's facts about all packets. */
  readonly interface: CaptureInterface;
  /** Packets seen, and packets kept. */
  packets = 0;
  kept = 0;
  /** After `sift`: the end of the kept records, and the start of the incomplete record. */
  keptEnd = 0;
  restStart = 0;
  /** The fault of the record at `restStart`; reading stops there. */
  fault: CaptureError | undefined;
  readonly #littleEndian: boolean;
  /** Reads the header, and makes the errors for bad records. */
  readonly #decoder: ClassicDecoder;
  /** Bytes of the file before the next call's `start`. */
  #offset = FILE_HEADER_BYTES;

  /** @param header the 24-byte file header. Throws the reader's CaptureError for a bad one. */
  constructor(header: Uint8Array) {
    const { littleEndian, resolution } = CLASSIC_FORMATS.get(magicOf(header))!;
    this.#littleEndian = littleEndian;
    this.#decoder = new ClassicDecoder(littleEndian, resolution);
    const window = new ChunkWindow();
    window.append(header.slice());
    this.#decoder.decode(window, []);
    this.interface = this.#decoder.interfaces[0]!;
  }

  /**
   * Tests the whole records of bytes[start, end) and moves those that pass together at `start`. `start` must be the start of a
   * record: the next call must pass the rest of this one, followed by the next bytes of the file.
   */
  sift(bytes: Uint8Array, start: number, end: number, passes: RecordTest): void {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const littleEndian = this.#littleEndian;
    let at = start;
    let keptEnd = start;
    // Adjacent kept records are moved together.
    let runStart = -1;
    let packets = 0;
    let kept = 0;
    while (end - at >= RECORD_HEADER_BYTES) {
      const capturedLength = view.getUint32(at + 8, littleEndian);
      const next = at + RECORD_HEADER_BYTES + capturedLength;
      if (next > end || capturedLength > MAX_CAPTURED_BYTES) break;
      packets += 1;
      if (passes(bytes, at + RECORD_HEADER_BYTES, next, view.getUint32(at + 12, littleEndian))) {
        kept += 1;
        if (runStart < 0) runStart = at;
      } else if (runStart >= 0) {
        keptEnd = moveDown(bytes, runStart, at, keptEnd);
        runStart = -1;
      }
      at = next;
    }
    if (runStart >= 0) keptEnd = moveDown(bytes, runStart, at, keptEnd);
    this.packets += packets;
    this.kept += kept;
    this.keptEnd = keptEnd;
    this.restStart = at;
    this.#offset += at - start;
    if (end - at >= RECORD_HEADER_BYTES) this.#checkRest(bytes, view, at);
  }

  /** Ends the file after `rest`. Throws the reader's CaptureError if it ends in the middle of a record. */
  finish(rest: Uint8Array): void {
    this.#decoder.finish(this.#windowOf(rest));
  }

  #checkRest(bytes: Uint8Array, view: DataView, at: number): void {
    if (view.getUint32(at + 8, this.#littleEndian) <= MAX_CAPTURED_BYTES) return;
    try {
      this.#decoder.decode(this.#windowOf(bytes.slice(at, at + RECORD_HEADER_BYTES)), []);
    } catch (error) {
      this.fault = error as CaptureError;
    }
  }

  #windowOf(rest: Uint8Array): ChunkWindow {
    const window = new ChunkWindow();
    window.append(rest);
    window.offset = this.#offset;
    return window;
  }
}

/** Returns whether a file that begins with these bytes is a classic pcap, the sieve's format. */
export function isClassic(beginning: Uint8Array): boolean {
  return resolutionOf(beginning) !== undefined;
}

/** Returns the resolution of a classic pcap, from its header; undefined for anything else. */
export function resolutionOf(beginning: Uint8Array): Resolution | undefined {
  if (beginning.length < FILE_HEADER_BYTES) return undefined;
  return CLASSIC_FORMATS.get(magicOf(beginning))?.resolution;
}

function magicOf(header: Uint8Array): number {
  return new DataView(header.buffer, header.byteOffset, header.byteLength).getUint32(0, false);
}

/** Moves bytes[start, end) to `target`, which must not be after `start`; returns the end of the moved bytes. */
function moveDown(bytes: Uint8Array, start: number, end: number, target: number): number {
  if (target !== start) bytes.copyWithin(target, start, end);
  return target + end - start;
}
