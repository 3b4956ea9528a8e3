/**
 * The packets of a compute's capture file, as the service records them.
 *
 *     compute's file ---> predicate ---> up to the limits ---> cut to snaplen ---> pcap records
 *
 * The records depend on the file and the capture's options alone, so two readings of one file have the same bytes.
 */
import type { PacketPredicate } from "@wirelab/engine/bpf/index";
import { makeCaptureReader } from "@wirelab/engine/pcap/capture-reader";
import { RecordEncoder } from "@wirelab/engine/pcap/capture-writer";
import { DEFAULT_SNAPLEN } from "@wirelab/engine/pcap/file-header";
import type { CaptureFrame } from "@wirelab/engine/pcap/frame";
import type { CaptureOptions } from "../schemas/capture.ts";
import type { DataLinkType } from "../schemas/common.ts";

/** The most bytes of records in a capture: the fetch of more would take longer than a function has. */
const MAX_RECORDED_BYTES = 1024 ** 3;
const RECORD_HEADER_BYTES = 16;

export interface Recorded {
  readonly data_link_type: DataLinkType;
  readonly options?: CaptureOptions | undefined;
}

export class Recording {
  readonly #reader = makeCaptureReader();
  readonly #encoder: RecordEncoder;
  readonly #predicate: PacketPredicate | undefined;
  readonly #snaplen: number;
  readonly #maxPackets: number;
  readonly #maxBytes: number;
  /** Counts of the records so far; after a limit is reached, no packet is recorded. */
  packets = 0;
  bytes = 0;
  limitReached = false;

  private constructor({ options = {} }: Recorded, predicate: PacketPredicate | undefined, mostBytes: number) {
    const { snaplen = DEFAULT_SNAPLEN, max_packets = Number.POSITIVE_INFINITY } = options;
    this.#encoder = new RecordEncoder({ snaplen });
    this.#predicate = predicate;
    this.#snaplen = snaplen;
    this.#maxPackets = max_packets;
    this.#maxBytes = Math.min(options.max_bytes ?? mostBytes, mostBytes);
  }

  /** @param mostBytes the bound of the service, which an option cannot exceed. */
  static async make(capture: Recorded, mostBytes: number = MAX_RECORDED_BYTES): Promise<Recording> {
    const { bpf } = capture.options ?? {};
    // Loaded on first use: the compiler is large, and few captures have an expression.
    const predicate =
      bpf === undefined
        ? undefined
        : (await import("@wirelab/engine/bpf/index")).compileFilter(bpf, capture.data_link_type);
    return new Recording(capture, predicate, mostBytes);
  }

  /** Returns the records of the packets that the next bytes of the file complete. @throws CaptureError */
  push(chunk: Uint8Array): Uint8Array {
    for (const frame of this.#reader.push(chunk)) this.#record(frame);
    return this.#encoder.take();
  }

  #record({ seconds, nanoseconds, data, originalLength }: CaptureFrame): void {
    if (this.limitReached || this.#predicate?.(data, originalLength) === false) return;
    const size = RECORD_HEADER_BYTES + Math.min(data.length, this.#snaplen);
    const left = this.#maxBytes - this.bytes;
    if (size > left) {
      this.limitReached = true;
      return;
    }
    this.#encoder.write(seconds, nanoseconds, data, originalLength);
    this.packets += 1;
    this.bytes += size;
    this.limitReached = this.packets >= this.#maxPackets || left - size < RECORD_HEADER_BYTES;
  }
}
