/**
 * What a capture records of the packets that pass it.
 *
 *     offered ---> predicate ---> in order of time ---> up to the limits ---> cut to snaplen ---> pcap records
 *
 * Packets may be offered out of order of time; those of equal time keep the order in which they were offered.
 * The limits count in order of time: recording ends at the first packet that does not fit, and nothing after it is
 * recorded, however small. The tap keeps copies of what it records: frames lie beside others, which would be kept with them.
 */
import { compileFilter, type LinkType, type PacketPredicate } from "./bpf/index.ts";
import { FrameSlab } from "./frame-slab.ts";
import { DEFAULT_SNAPLEN, RecordEncoder, type Resolution } from "./pcap/index.ts";
import { addNanoseconds, type EpochTime } from "./time.ts";

export interface TapSettings {
  /** Only packets that match are recorded; it judges them whole, before they are cut. */
  readonly predicate?: PacketPredicate;
  readonly maxPackets?: number;
  /** Of the records: cut packets and their headers. */
  readonly maxBytes?: number;
  /** Most bytes kept of a packet; 65535 when absent. */
  readonly snaplen?: number;
  /** Where the link offers its packets: behind its filters, or as they enter. */
  readonly tap: "after" | "before";
}

/** What earlier runs have recorded. */
export interface Recorded {
  readonly packets: number;
  readonly bytes: number;
  /** A limit has ended the recording: nothing more is recorded. */
  readonly limitReached?: boolean | undefined;
}

/** The options of a capture, by the interface's names. */
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
/** Packets, or bytes, held over what the limits allow before they are sorted. */
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
  /** Those to be recorded, and some more until `#settle` sorts them and cuts them off. */
  readonly #held: Held[] = [];
  readonly #copies = new FrameSlab();
  #heldBytes = 0;
  #inOrder = true;
  /** When the first packet came that the limits keep out; later ones are not looked at. */
  #endNs = Number.POSITIVE_INFINITY;

  constructor(settings: TapSettings, soFar: Recorded) {
    const { maxPackets, maxBytes, snaplen = DEFAULT_SNAPLEN } = settings;
    this.settings = settings;
    this.#snaplen = snaplen;
    this.#packetsLeft = soFar.limitReached ? 0 : left(maxPackets, soFar.packets);
    this.#bytesLeft = left(maxBytes, soFar.bytes);
  }

  /** Packets recorded, on top of those of earlier runs. */
  get packets(): number {
    this.#settle();
    return this.#held.length;
  }

  /** Bytes of their records. */
  get bytes(): number {
    this.#settle();
    return this.#heldBytes;
  }

  /** No packet later than those recorded will be. */
  get limitReached(): boolean {
    this.#settle();
    if (this.#endNs < Number.POSITIVE_INFINITY || this.#held.length >= this.#packetsLeft) return true;
    return this.#bytesLeft - this.#heldBytes < RECORD_HEADER_BYTES;
  }

  /**
   * A packet has come to the tap.
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

  /** The records as pcap, stamped from the run's start on. Throws the writer's CaptureError for times outside 1970 to 2106. */
  encode(start: EpochTime, resolution: Resolution = "microsecond"): Uint8Array {
    this.#settle();
    const encoder = new RecordEncoder({ snaplen: this.#snaplen, resolution });
    for (const { timeNs, data, originalLength } of this.#held) {
      const { seconds, nanoseconds } = addNanoseconds(start, timeNs);
      encoder.write(seconds, nanoseconds, data, originalLength);
    }
    return encoder.take();
  }

  /** Whether it is time to sort, though nobody asks yet: seldom enough that each packet is sorted a few times only. */
  #holdsTooMuch(): boolean {
    return this.#held.length > 2 * this.#packetsLeft + SLACK || this.#heldBytes > 2 * this.#bytesLeft + SLACK;
  }

  /** Puts the packets in order of time and cuts off those that the limits keep out. */
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
