/** Reads captures of either format frame by frame. */

import {
  type CaptureError,
  type CaptureFrame,
  type CaptureInterface,
  dataLinkTypeName,
  findCutOff,
  LINKTYPE_ETHERNET,
  makeCaptureReader,
  type Resolution,
} from "@wirelab/engine/pcap/index";
import { resolutionOf } from "@wirelab/engine/pcap/record-sieve";
import type { Transfer } from "./capture-transfer.ts";
import { DataError } from "./failure.ts";

const CHUNK_BYTES = 65_536;
/** The interface assumed for a file that describes none. */
const ETHERNET: CaptureInterface = { linkType: LINKTYPE_ETHERNET, snaplen: 0, littleEndian: true };

/** The frames of an input, all of the same link type. */
export class FrameSource {
  /** The unit of the file's times. A pcapng can have several; nanoseconds represent them all. */
  readonly resolution: Resolution;
  readonly #reader = makeCaptureReader();
  /** Set after the last batch if the file is cut off in the middle of a packet. */
  cutOff: CaptureError | undefined;
  readonly #transfer: Transfer;
  readonly #beginning: Uint8Array;
  #first: CaptureInterface | undefined;
  #frames = 0;

  /** @param beginning bytes already read from the input; for a classic file, at least the whole header. */
  constructor(transfer: Transfer, beginning: Uint8Array) {
    this.#transfer = transfer;
    this.#beginning = beginning;
    this.resolution = resolutionOf(beginning) ?? "nanosecond";
  }

  get format(): "pcap" | "pcapng" {
    return this.#reader.format ?? "pcap";
  }

  /** The interface of the first frame, or the first interface of a file without frames. */
  get interface(): CaptureInterface {
    return this.#first ?? this.#reader.interfaces[0] ?? ETHERNET;
  }

  /** Yields batches of frames, valid until the next batch. Throws a CaptureError, and a DataError at a frame of another link type. */
  async *batches(): AsyncGenerator<CaptureFrame[], void> {
    const { input, progress } = this.#transfer;
    // Two alternating buffers, because the reader keeps the remainder of one until it gets the other. New buffers for each chunk
    // would accumulate faster than the garbage collector frees them.
    let next = new Uint8Array(CHUNK_BYTES);
    let other = new Uint8Array(CHUNK_BYTES);
    for (let chunk = this.#beginning; chunk.length > 0; ) {
      const frames = this.#reader.push(chunk);
      for (const frame of frames) this.#checkLinkType(frame);
      if (frames.length > 0) yield frames;
      progress.advance(chunk.length);
      chunk = next.subarray(0, await input.read(next));
      [next, other] = [other, next];
    }
    this.cutOff = findCutOff(() => this.#reader.finish());
  }

  #checkLinkType({ linkType, interfaceId }: CaptureFrame): void {
    this.#frames += 1;
    this.#first ??= this.#reader.interfaces[interfaceId]!;
    if (linkType === this.#first.linkType) return;
    const [first, other] = [this.#first.linkType, linkType].map(
      (number) => dataLinkTypeName(number) ?? `link type ${number}`,
    );
    throw new DataError(
      `the capture's packets are of several link types: ${first}, and ${other} from packet ${this.#frames} on; a link carries one`,
    );
  }
}
