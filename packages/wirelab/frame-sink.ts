/**
 * Writes frames to a capture file of the same format as their source.
 *
 * For a classic pcap it reuses one buffer. The engine's RecordEncoder allocates a new buffer after each full one and starts with
 * a small one: for a long file, the garbage collector would have to free buffers of several times the file's size.
 */

import { NS_PER_TICK, RECORD_HEADER_BYTES } from "@wirelab/engine/pcap/classic-format";
import {
  encodeCaptureHeader,
  encodeInterface,
  encodeSectionHeader,
  MAX_CAPTURED_BYTES,
  PacketBlockEncoder,
} from "@wirelab/engine/pcap/index";
import type { CaptureOutput } from "./capture-output.ts";
import { DataError } from "./failure.ts";
import type { FrameSource } from "./frame-source.ts";

const WRITTEN_FROM_BYTES = 262_144;
const MAX_SECONDS = 0xffff_ffff;

type Format = Pick<FrameSource, "format" | "interface" | "resolution">;

export interface FrameSink {
  /** Adds a copy of a whole frame. Throws a DataError or a CaptureError for a time that the format cannot represent. */
  write(seconds: number, nanoseconds: number, data: Uint8Array, originalLength: number): void;
  /** Writes out the buffered frames if there are enough of them. */
  drain(): Promise<void>;
  /** Writes out all buffered frames. */
  finish(): Promise<void>;
}

/** Makes a sink of the frames' own format: a pcapng may contain times after 2106, the end of pcap's range. */
export function makeFrameSink(output: CaptureOutput, format: Format): FrameSink {
  return format.format === "pcapng" ? new PcapngSink(output, format) : new ClassicSink(output, format);
}

class PcapngSink implements FrameSink {
  readonly #output: CaptureOutput;
  readonly #encoder = new PacketBlockEncoder(["nanosecond"]);
  #beginning: readonly Uint8Array[];

  constructor(output: CaptureOutput, { interface: { linkType } }: Format) {
    this.#output = output;
    this.#beginning = [
      encodeSectionHeader("wirelab"),
      encodeInterface({ linkType, snaplen: 0, resolution: "nanosecond" }),
    ];
  }

  write(seconds: number, nanoseconds: number, data: Uint8Array, originalLength: number): void {
    this.#encoder.write(0, seconds, nanoseconds, data, originalLength);
  }

  async drain(): Promise<void> {
    if (this.#encoder.sizeBytes >= WRITTEN_FROM_BYTES) await this.finish();
  }

  async finish(): Promise<void> {
    for (const bytes of [...this.#beginning, this.#encoder.take()]) await this.#output.write(bytes);
    this.#beginning = [];
  }
}

class ClassicSink implements FrameSink {
  readonly #output: CaptureOutput;
  readonly #nsPerTick: number;
  #bytes = new Uint8Array(2 * WRITTEN_FROM_BYTES);
  #view = new DataView(this.#bytes.buffer);
  #size: number;

  constructor(output: CaptureOutput, { interface: { linkType }, resolution }: Format) {
    this.#output = output;
    this.#nsPerTick = NS_PER_TICK[resolution];
    const header = encodeCaptureHeader({ linkType, resolution, snaplen: MAX_CAPTURED_BYTES });
    this.#bytes.set(header);
    this.#size = header.length;
  }

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

  async drain(): Promise<void> {
    if (this.#size >= WRITTEN_FROM_BYTES) await this.finish();
  }

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
