/**
 * Writes classic pcap, little-endian. Header and records are encoded separately, so that a capture can be stored in segments:
 * one header followed by any number of segments, concatenated, is a valid file.
 */

import { type EpochTime, NS_PER_SECOND } from "../base/time.ts";
import { CaptureError } from "./capture-error.ts";
import { NS_PER_TICK, RECORD_HEADER_BYTES } from "./classic-format.ts";
import { type CaptureFormat, checkSnaplen, encodeCaptureHeader, type RecordFormat } from "./file-header.ts";

const MAX_SECONDS = 0xffff_ffff;
const INITIAL_CAPACITY_BYTES = 4_096;

/** A frame to write. */
export interface RecordInput extends EpochTime {
  data: Uint8Array;
  originalLength: number;
}

/** Encodes records into a growing buffer. */
export class RecordEncoder {
  readonly #snaplen: number;
  readonly #nsPerTick: number;
  #bytes = new Uint8Array(INITIAL_CAPACITY_BYTES);
  #view = new DataView(this.#bytes.buffer);
  #size = 0;

  constructor({ snaplen, resolution = "microsecond" }: RecordFormat = {}) {
    this.#snaplen = checkSnaplen(snaplen);
    this.#nsPerTick = NS_PER_TICK[resolution];
  }

  /** Bytes written since the last `take`. */
  get sizeBytes(): number {
    return this.#size;
  }

  /**
   * Adds a copy of a frame. Throws a CaptureError `pcap.time-out-of-range` for a time that the format cannot represent:
   * before 1970 or after 2106-02-07.
   */
  write(seconds: number, nanoseconds: number, data: Uint8Array, originalLength: number): void {
    if (!(seconds >= 0 && seconds <= MAX_SECONDS && nanoseconds >= 0 && nanoseconds < NS_PER_SECOND)) {
      throw timeOutOfRange(seconds, nanoseconds, this.#size);
    }
    const capturedLength = Math.min(data.length, this.#snaplen);
    const at = this.#size;
    const end = at + RECORD_HEADER_BYTES + capturedLength;
    if (end > this.#bytes.length) this.#grow(end);
    const view = this.#view;
    view.setUint32(at, seconds, true);
    view.setUint32(at + 4, Math.floor(nanoseconds / this.#nsPerTick), true);
    view.setUint32(at + 8, capturedLength, true);
    view.setUint32(at + 12, originalLength, true);
    this.#bytes.set(
      capturedLength < data.length ? data.subarray(0, capturedLength) : data,
      at + RECORD_HEADER_BYTES,
    );
    this.#size = end;
  }

  /** Returns the records written since the last call; the caller owns the bytes. */
  take(): Uint8Array {
    const taken = this.#bytes.subarray(0, this.#size);
    this.#setBytes(new Uint8Array(INITIAL_CAPACITY_BYTES));
    this.#size = 0;
    return taken;
  }

  #grow(needed: number): void {
    const larger = new Uint8Array(Math.max(needed, 2 * this.#bytes.length));
    larger.set(this.#bytes.subarray(0, this.#size));
    this.#setBytes(larger);
  }

  #setBytes(bytes: Uint8Array<ArrayBuffer>): void {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer);
  }
}

/** Encodes one segment of a capture: records without a file header. */
export function encodeRecords(frames: Iterable<RecordInput>, format: RecordFormat = {}): Uint8Array {
  const encoder = new RecordEncoder(format);
  for (const frame of frames)
    encoder.write(frame.seconds, frame.nanoseconds, frame.data, frame.originalLength);
  return encoder.take();
}

/** Encodes a whole file. */
export function encodeCapture(frames: Iterable<RecordInput>, format: CaptureFormat): Uint8Array {
  const header = encodeCaptureHeader(format);
  const records = encodeRecords(frames, format);
  const file = new Uint8Array(header.length + records.length);
  file.set(header);
  file.set(records, header.length);
  return file;
}

function timeOutOfRange(seconds: number, nanoseconds: number, offset: number): CaptureError {
  const message = `pcap: a time of ${seconds} s and ${nanoseconds} ns does not fit the format (1970 to 2106)`;
  return new CaptureError("pcap.time-out-of-range", offset, message);
}
