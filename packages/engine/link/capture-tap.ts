/**
 * Records the packets that pass a capture.
 *
 *     offered ---> predicate ---> in order of time ---> up to the limits ---> cut to snaplen ---> pcap records
 *
 * Packets may be offered out of time order; packets with equal times keep the order of their offers. The limits apply in time
 * order: recording ends at the first packet that does not fit, and no later packet is recorded, however small. The tap copies
 * what it records: frames share buffers, and a reference to one would keep its neighbours in memory.
 */

import { FrameSlab } from "../base/frame-slab.ts";
import { addNanoseconds, type EpochTime } from "../base/time.ts";
import { compileFilter, type LinkType, type PacketPredicate } from "../bpf/index.ts";
import { DEFAULT_SNAPLEN, RecordEncoder, type Resolution } from "../pcap/index.ts";

export interface TapSettings {
  /** Selects the packets to record; it sees whole packets, before they are cut. */
  readonly predicate?: PacketPredicate;
  readonly maxPackets?: number;
  /** Maximum bytes of the records: cut packets and their headers. */
  readonly maxBytes?: number;
  /** Maximum bytes kept per packet; 65535 if absent. */
  readonly snaplen?: number;
  /** Whether the link offers packets after its filters, or before, as they enter. */
  readonly tap: "after" | "before";
}

/** Totals recorded by earlier runs. */
export interface Recorded {
  readonly packets: number;
  readonly bytes: number;
  /** True once a limit has ended the recording. */
  readonly limitReached?: boolean | undefined;
}

/** The options of a capture, with their names in the HTTP interface. */
export interface TapOptions {
  readonly bpf?: string | undefined;
  readonly max_packets?: number | undefined;
  readonly max_bytes?: number | undefined;
  readonly snaplen?: number | undefined;
  readonly tap?: "after" | "before" | undefined;
}

/** Throws a FilterSyntaxError for a `bpf` that does not compile for the link type. */
export function makeTapSettings(options: TapOptions, linkType: LinkType): TapSettings {
  const { bpf, max_packets, max_bytes, snaplen, tap = "after" } = options;
  return {
    tap,
    ...(bpf !== undefined && { predicate: compileFilter(bpf, linkType) }),
    ...(max_packets !== undefined && { maxPackets: max_packets }),
    ...(max_bytes !== undefined && { maxBytes: max_bytes }),
    ...(snaplen !== undefined && { snaplen }),
  };
}

const RECORD_HEADER_BYTES = 16;
/** How many packets, or bytes, are held beyond the limits before they are sorted. */
const SLACK = 4096;

interface Held {
  readonly timeNs: number;
  readonly data: Uint8Array;
  readonly originalLength: number;
}

export class CaptureTap {
  readonly settings: TapSettings;
  readonly #snaplen: number;
  readonly #packetsLeft: number;
  readonly #bytesLeft: number;
  /** The packets to record, and some more until `#settle` sorts them and drops the excess. */
  readonly #held: Held[] = [];
  readonly #copies = new FrameSlab();
  #heldBytes = 0;
  #inOrder = true;
  /** The time of the first packet that exceeds the limits; later packets are ignored. */
  #endNs = Number.POSITIVE_INFINITY;

  constructor(settings: TapSettings, soFar: Recorded) {
    const { maxPackets, maxBytes, snaplen = DEFAULT_SNAPLEN } = settings;
    this.settings = settings;
    this.#snaplen = snaplen;
    this.#packetsLeft = soFar.limitReached ? 0 : left(maxPackets, soFar.packets);
    this.#bytesLeft = left(maxBytes, soFar.bytes);
  }

  /** Packets recorded by this run. */
  get packets(): number {
    this.#settle();
    return this.#held.length;
  }

  /** Bytes of this run's records. */
  get bytes(): number {
    this.#settle();
    return this.#heldBytes;
  }

  /** True if no later packet will be recorded. */
  get limitReached(): boolean {
    this.#settle();
    if (this.#endNs < Number.POSITIVE_INFINITY || this.#held.length >= this.#packetsLeft) return true;
    return this.#bytesLeft - this.#heldBytes < RECORD_HEADER_BYTES;
  }

  /**
   * Offers a packet to the tap.
   * @param timeNs from the run's start
   * @param originalLength on the wire; `data` may be less
   */
  offer(timeNs: number, data: Uint8Array, originalLength: number): void {
    if (timeNs >= this.#endNs) return;
    const { predicate } = this.settings;
    if (predicate !== undefined && !predicate(data, originalLength)) return;
    const held = this.#held;
    const kept = data.length > this.#snaplen ? data.subarray(0, this.#snaplen) : data;
    const packet = { timeNs, data: this.#copies.copy(kept), originalLength };
    if (held.length > 0 && held[held.length - 1]!.timeNs > timeNs) this.#inOrder = false;
    held.push(packet);
    this.#heldBytes += recordBytes(packet);
    if (this.#inOrder || this.#holdsTooMuch()) this.#settle();
  }

  /** Encodes the records as pcap, with times relative to `start`. Throws the writer's CaptureError outside 1970 to 2106. */
  encode(start: EpochTime, resolution: Resolution = "microsecond"): Uint8Array {
    this.#settle();
    const encoder = new RecordEncoder({ snaplen: this.#snaplen, resolution });
    for (const { timeNs, data, originalLength } of this.#held) {
      const { seconds, nanoseconds } = addNanoseconds(start, timeNs);
      encoder.write(seconds, nanoseconds, data, originalLength);
    }
    return encoder.take();
  }

  /** Whether to sort now, before a caller needs the result: rarely enough that each packet is sorted only a few times. */
  #holdsTooMuch(): boolean {
    return this.#held.length > 2 * this.#packetsLeft + SLACK || this.#heldBytes > 2 * this.#bytesLeft + SLACK;
  }

  /** Sorts the packets by time and drops those that exceed the limits. */
  #settle(): void {
    const held = this.#held;
    if (!this.#inOrder) held.sort((a, b) => a.timeNs - b.timeNs);
    this.#inOrder = true;
    while (held.length > this.#packetsLeft || this.#heldBytes > this.#bytesLeft) {
      const packet = held.pop()!;
      this.#heldBytes -= recordBytes(packet);
      this.#endNs = packet.timeNs;
    }
  }
}

const left = (limit = Number.POSITIVE_INFINITY, used: number): number => Math.max(0, limit - used);

const recordBytes = ({ data }: Held): number => RECORD_HEADER_BYTES + data.length;
