/**
 * Frames to a classic pcap, one buffer for all of them. Unlike the engine's RecordEncoder, which hands over every buffer it
 * fills and begins with a small one: over a long file that is several times its size in buffers to be collected.
 */

import { NS_PER_TICK, RECORD_HEADER_BYTES } from "../engine/pcap/classic-format.ts";
import { encodeCaptureHeader, MAX_CAPTURED_BYTES, type Resolution } from "../engine/pcap/index.ts";
import type { CaptureOutput } from "./capture-output.ts";
import { DataError } from "./failure.ts";

const WRITTEN_FROM_BYTES = 262_144;
const MAX_SECONDS = 0xffff_ffff;

export interface SinkFormat {
  /** LINKTYPE_ value of all frames. */
  readonly linkType: number;
  readonly resolution: Resolution;
}

export class FrameSink {
  readonly #output: CaptureOutput;
  readonly #nsPerTick: number;
  #bytes = new Uint8Array(2 * WRITTEN_FROM_BYTES);
  #view = new DataView(this.#bytes.buffer);
  #size: number;

  constructor(output: CaptureOutput, { linkType, resolution }: SinkFormat) {
    this.#output = output;
    this.#nsPerTick = NS_PER_TICK[resolution];
    const header = encodeCaptureHeader({ linkType, resolution, snaplen: MAX_CAPTURED_BYTES });
    this.#bytes.set(header);
    this.#size = header.length;
  }

  /** Adds a frame, none of it cut; its bytes are copied. Throws a DataError for a time that a pcap cannot hold. */
  write(seconds: number, nanoseconds: number, data: Uint8Array, originalLength: number): void {
    if (!(seconds >= 0 && seconds <= MAX_SECONDS)) {
      throw new DataError(`a time of ${seconds} s does not fit into a pcap (1970 to 2106)`);
    }
    const at = this.#size;
    const end = at + RECORD_HEADER_BYTES + data.length;
    if (end > this.#bytes.length) this.#grow(end);
    const view = this.#view;
    view.setUint32(at, seconds, true);
    view.setUint32(at + 4, Math.floor(nanoseconds / this.#nsPerTick), true);
    view.setUint32(at + 8, data.length, true);
    view.setUint32(at + 12, originalLength, true);
    this.#bytes.set(data, at + RECORD_HEADER_BYTES);
    this.#size = end;
  }

  /** Hands on what has come together, if it is worth it. */
  async drain(): Promise<void> {
    if (this.#size >= WRITTEN_FROM_BYTES) await this.finish();
  }

  /** Hands on everything. */
  async finish(): Promise<void> {
    await this.#output.write(this.#bytes.subarray(0, this.#size));
    this.#size = 0;
  }

  #grow(needed: number): void {
    const larger = new Uint8Array(2 * needed);
    larger.set(this.#bytes.subarray(0, this.#size));
    this.#bytes = larger;
    this.#view = new DataView(larger.buffer);
  }
}
