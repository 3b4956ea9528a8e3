/** Decodes the classic pcap file; layout in classic-format.ts. */

import { NS_PER_SECOND } from "../base/time.ts";
import { CaptureError } from "./capture-error.ts";
import type { ChunkWindow } from "./chunk-window.ts";
import {
  FILE_HEADER_BYTES,
  LINK_TYPE_MASK,
  NS_PER_TICK,
  PCAP_VERSION_MAJOR,
  PCAP_VERSION_MINOR,
  RECORD_HEADER_BYTES,
  type Resolution,
} from "./classic-format.ts";
import type { CaptureInterface, FrameDecoder } from "./decoder.ts";
import { type CaptureFrame, MAX_CAPTURED_BYTES, NO_BYTES } from "./frame.ts";
import { canonicalLinkType } from "./link-types.ts";

export class ClassicDecoder implements FrameDecoder {
  readonly format = "pcap";
  readonly interfaces: CaptureInterface[] = [];
  readonly #littleEndian: boolean;
  readonly #nsPerTick: number;
  #linkType = 0;

  constructor(littleEndian: boolean, resolution: Resolution) {
    this.#littleEndian = littleEndian;
    this.#nsPerTick = NS_PER_TICK[resolution];
  }

  decode(window: ChunkWindow, frames: CaptureFrame[]): void {
    if (this.interfaces.length === 0 && !this.#readFileHeader(window)) return;
    while (this.#readRecord(window, frames)) {
      // Repeats until the bytes at hand hold no whole record.
    }
  }

  finish(window: ChunkWindow): void {
    const { available, offset } = window;
    if (this.interfaces.length === 0) {
      const message = `pcap: the file header takes ${FILE_HEADER_BYTES} bytes, the file has ${available}`;
      throw new CaptureError("pcap.header-truncated", offset, message);
    }
    if (available > 0) throw new CaptureError("pcap.truncated", offset, this.#describeRest(window));
  }

  #readFileHeader(window: ChunkWindow): boolean {
    if (window.available < FILE_HEADER_BYTES) return false;
    const { view, start, offset } = window;
    const major = view.getUint16(start + 4, this.#littleEndian);
    const minor = view.getUint16(start + 6, this.#littleEndian);
    if (major !== PCAP_VERSION_MAJOR || minor !== PCAP_VERSION_MINOR) {
      const message = `pcap: version ${major}.${minor} is not supported, only 2.4 is`;
      throw new CaptureError("pcap.unsupported-version", offset + 4, message);
    }
    const snaplen = view.getUint32(start + 16, this.#littleEndian);
    this.#linkType = canonicalLinkType(view.getUint32(start + 20, this.#littleEndian) & LINK_TYPE_MASK);
    this.interfaces.push({ linkType: this.#linkType, snaplen, littleEndian: this.#littleEndian });
    window.advance(FILE_HEADER_BYTES);
    return true;
  }

  /** Reads the next record from the window; returns false if it is incomplete. */
  #readRecord(window: ChunkWindow, frames: CaptureFrame[]): boolean {
    const { view, start } = window;
    const littleEndian = this.#littleEndian;
    const available = window.end - start;
    if (available < RECORD_HEADER_BYTES) return false;
    const capturedLength = view.getUint32(start + 8, littleEndian);
    if (capturedLength > MAX_CAPTURED_BYTES) throw tooLarge(window.offset, capturedLength);
    const recordBytes = RECORD_HEADER_BYTES + capturedLength;
    if (available < recordBytes) return false;
    let seconds = view.getUint32(start, littleEndian);
    let nanoseconds = view.getUint32(start + 4, littleEndian) * this.#nsPerTick;
    if (nanoseconds >= NS_PER_SECOND) {
      // Some programs write this although it is out of the format's range; libpcap accepts it too.
      seconds += Math.floor(nanoseconds / NS_PER_SECOND);
      nanoseconds %= NS_PER_SECOND;
    }
    frames.push({
      seconds,
      nanoseconds,
      data:
        capturedLength === 0
          ? NO_BYTES
          : window.bytes.subarray(start + RECORD_HEADER_BYTES, start + recordBytes),
      originalLength: view.getUint32(start + 12, littleEndian),
      linkType: this.#linkType,
      interfaceId: 0,
    });
    window.advance(recordBytes);
    return true;
  }

  #describeRest(window: ChunkWindow): string {
    const { available, offset } = window;
    if (available < RECORD_HEADER_BYTES) {
      return `pcap: the record header at byte ${offset} takes ${RECORD_HEADER_BYTES} bytes, the file ends after ${available}`;
    }
    const claimed = window.view.getUint32(window.start + 8, this.#littleEndian);
    const present = available - RECORD_HEADER_BYTES;
    return `pcap: record at byte ${offset} claims ${claimed} bytes, the file ends after ${present}`;
  }
}

function tooLarge(offset: number, claimed: number): CaptureError {
  const message = `pcap: record at byte ${offset} claims ${claimed} bytes, more than the ${MAX_CAPTURED_BYTES} allowed`;
  return new CaptureError("pcap.record-too-large", offset, message);
}
