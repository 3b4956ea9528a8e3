/** Decodes the pcapng file; layout in pcapng-format.ts. */

import { CaptureError } from "./capture-error.ts";
import type { ChunkWindow } from "./chunk-window.ts";
import type { FrameDecoder } from "./decoder.ts";
import { type CaptureFrame, MAX_CAPTURED_BYTES, NO_BYTES } from "./frame.ts";
import {
  BLOCK_OVERHEAD_BYTES,
  BLOCK_TRAILER_BYTES,
  BYTE_ORDER_MAGIC,
  BYTE_ORDER_MAGIC_SWAPPED,
  ENHANCED_PACKET_BLOCK,
  INTERFACE_BLOCK,
  MAX_BLOCK_BYTES,
  MIN_BLOCK_BYTES,
  OLD_PACKET_BLOCK,
  PCAPNG_VERSION_MAJOR,
  SECTION_HEADER_BLOCK,
  SIMPLE_PACKET_BLOCK,
} from "./pcapng-format.ts";
import { decodeInterface, type PcapngInterface } from "./pcapng-interface.ts";

const PACKET_DATA_AT = 28;
const SIMPLE_PACKET_DATA_AT = 12;

export class PcapngDecoder implements FrameDecoder {
  readonly format = "pcapng";
  readonly interfaces: PcapngInterface[] = [];
  /** Whether the first section header has arrived. */
  #begun = false;
  /** Index of the current section's first interface in `interfaces`. */
  #sectionStart = 0;
  #littleEndian = true;
  /** A block being skipped: its length, until its end is checked, and its position in the file. */
  #passedLength = 0;
  #passedOffset = 0;

  decode(window: ChunkWindow, frames: CaptureFrame[]): void {
    while (this.step(window, frames)) {
      // Repeats until the bytes at hand hold no whole block.
    }
  }

  finish(window: ChunkWindow): void {
    if (!this.#begun) {
      const message = "pcapng: the section header at byte 0 is cut off by the end of the file";
      throw new CaptureError("pcapng.header-truncated", 0, message);
    }
    const passing = this.#passedLength > 0;
    if (!passing && window.available === 0) return;
    const offset = passing ? this.#passedOffset : window.offset;
    const message = `pcapng: block at byte ${offset} is cut off by the end of the file`;
    throw new CaptureError("pcapng.truncated", offset, message);
  }

  /** Reads one block and adds its frame, if any; returns false if the block is incomplete. */
  step(window: ChunkWindow, frames: CaptureFrame[]): boolean {
    if (window.skipping > 0) return false;
    if (this.#passedLength > 0) return this.#endPassedBlock(window);
    if (window.available < BLOCK_OVERHEAD_BYTES) return false;
    const { view, start } = window;
    const type = view.getUint32(start, this.#littleEndian);
    if (type === SECTION_HEADER_BLOCK) this.#readByteOrder(window);
    const length = view.getUint32(start + 4, this.#littleEndian);
    const minimum = MIN_BLOCK_BYTES.get(type);
    this.#checkLength(window.offset, length, minimum ?? BLOCK_OVERHEAD_BYTES);
    if (minimum === undefined && length > MAX_BLOCK_BYTES) {
      this.#passedLength = length;
      this.#passedOffset = window.offset;
      window.skip(length - BLOCK_TRAILER_BYTES);
      return window.skipping === 0;
    }
    if (length > MAX_BLOCK_BYTES) throw blockTooLarge(window.offset, length);
    if (window.available < length) return false;
    this.#checkTrailer(
      window.offset,
      length,
      view.getUint32(start + length - BLOCK_TRAILER_BYTES, this.#littleEndian),
    );
    this.#readBlock(type, length, window, frames);
    window.advance(length);
    return true;
  }

  #endPassedBlock(window: ChunkWindow): boolean {
    if (window.available < BLOCK_TRAILER_BYTES) return false;
    this.#checkTrailer(
      this.#passedOffset,
      this.#passedLength,
      window.view.getUint32(window.start, this.#littleEndian),
    );
    this.#passedLength = 0;
    window.advance(BLOCK_TRAILER_BYTES);
    return true;
  }

  #readBlock(type: number, length: number, window: ChunkWindow, frames: CaptureFrame[]): void {
    const { view, start, offset } = window;
    const littleEndian = this.#littleEndian;
    switch (type) {
      case SECTION_HEADER_BLOCK:
        this.#startSection(window);
        break;
      case INTERFACE_BLOCK:
        this.interfaces.push(decodeInterface({ view, start, length, offset, littleEndian }));
        break;
      case ENHANCED_PACKET_BLOCK:
        frames.push(this.#readPacket(view.getUint32(start + 8, littleEndian), length, window));
        break;
      case OLD_PACKET_BLOCK:
        frames.push(this.#readPacket(view.getUint16(start + 8, littleEndian), length, window));
        break;
      case SIMPLE_PACKET_BLOCK:
        frames.push(this.#readSimplePacket(length, window));
        break;
    }
  }

  #readByteOrder({ view, start, offset }: ChunkWindow): void {
    const magic = view.getUint32(start + 8, true);
    if (magic !== BYTE_ORDER_MAGIC && magic !== BYTE_ORDER_MAGIC_SWAPPED) {
      const message = `pcapng: section header at byte ${offset} has no byte-order magic`;
      throw new CaptureError("pcapng.bad-byte-order-magic", offset + 8, message);
    }
    this.#littleEndian = magic === BYTE_ORDER_MAGIC;
  }

  #startSection({ view, start, offset }: ChunkWindow): void {
    const major = view.getUint16(start + 12, this.#littleEndian);
    if (major !== PCAPNG_VERSION_MAJOR) {
      const message = `pcapng: section at byte ${offset} has version ${major}, only 1 is supported`;
      throw new CaptureError("pcapng.unsupported-version", offset + 12, message);
    }
    this.#begun = true;
    this.#sectionStart = this.interfaces.length;
  }

  #readPacket(interfaceInSection: number, length: number, window: ChunkWindow): CaptureFrame {
    const { view, start, offset } = window;
    const littleEndian = this.#littleEndian;
    const interfaceId = this.#sectionStart + interfaceInSection;
    const { clock, linkType } = this.#interfaceAt(interfaceId, interfaceInSection, offset);
    const capturedLength = view.getUint32(start + 20, littleEndian);
    checkCaptured(offset, capturedLength, length - PACKET_DATA_AT - BLOCK_TRAILER_BYTES);
    if (!clock.convert(view.getUint32(start + 12, littleEndian), view.getUint32(start + 16, littleEndian))) {
      const message = `pcapng: packet at byte ${offset} has a time of ${clock.seconds} seconds`;
      throw new CaptureError("pcapng.time-out-of-range", offset, message);
    }
    return {
      seconds: clock.seconds,
      nanoseconds: clock.nanoseconds,
      data: viewOf(window, PACKET_DATA_AT, capturedLength),
      originalLength: view.getUint32(start + 24, littleEndian),
      linkType,
      interfaceId,
    };
  }

  /** A simple packet has no time; as in libpcap, its time is the epoch. It belongs to the first interface. */
  #readSimplePacket(length: number, window: ChunkWindow): CaptureFrame {
    const { offset } = window;
    const interfaceId = this.#sectionStart;
    const { linkType, snaplen } = this.#interfaceAt(interfaceId, 0, offset);
    const originalLength = window.view.getUint32(window.start + 8, this.#littleEndian);
    const capturedLength = snaplen === 0 ? originalLength : Math.min(snaplen, originalLength);
    checkCaptured(offset, capturedLength, length - SIMPLE_PACKET_DATA_AT - BLOCK_TRAILER_BYTES);
    const data = viewOf(window, SIMPLE_PACKET_DATA_AT, capturedLength);
    return { seconds: 0, nanoseconds: 0, data, originalLength, linkType, interfaceId };
  }

  #interfaceAt(interfaceId: number, interfaceInSection: number, offset: number): PcapngInterface {
    const found = this.interfaces[interfaceId];
    if (found !== undefined) return found;
    const message = `pcapng: packet at byte ${offset} names interface ${interfaceInSection}, which its section does not have`;
    throw new CaptureError("pcapng.unknown-interface", offset, message);
  }

  #checkLength(offset: number, length: number, minimum: number): void {
    if (length >= minimum && length % 4 === 0) return;
    const message = `pcapng: block at byte ${offset} claims a length of ${length}; it takes at least ${minimum} and a multiple of 4`;
    throw new CaptureError("pcapng.bad-block-length", offset + 4, message);
  }

  #checkTrailer(offset: number, length: number, repeated: number): void {
    if (repeated === length) return;
    const message = `pcapng: block at byte ${offset} begins with length ${length} and ends with ${repeated}`;
    throw new CaptureError("pcapng.bad-block-length", offset + length - BLOCK_TRAILER_BYTES, message);
  }
}

function viewOf({ bytes, start }: ChunkWindow, at: number, length: number): Uint8Array {
  return length === 0 ? NO_BYTES : bytes.subarray(start + at, start + at + length);
}

function checkCaptured(offset: number, claimed: number, room: number): void {
  if (claimed <= room && claimed <= MAX_CAPTURED_BYTES) return;
  const limit =
    claimed > room ? `its block has room for ${room}` : `more than the ${MAX_CAPTURED_BYTES} allowed`;
  const message = `pcapng: packet at byte ${offset} claims ${claimed} bytes, ${limit}`;
  throw new CaptureError("pcapng.bad-packet-length", offset, message);
}

function blockTooLarge(offset: number, length: number): CaptureError {
  const message = `pcapng: block at byte ${offset} claims ${length} bytes, more than the ${MAX_BLOCK_BYTES} allowed`;
  return new CaptureError("pcapng.block-too-large", offset + 4, message);
}
