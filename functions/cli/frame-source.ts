/** Captures of either format, frame by frame. */

import {
  type CaptureFrame,
  dataLinkTypeName,
  LINKTYPE_ETHERNET,
  makeCaptureReader,
  type Resolution,
} from "../engine/pcap/index.ts";
import { resolutionOf } from "../engine/pcap/record-sieve.ts";
import type { Transfer } from "./capture-transfer.ts";
import { DataError } from "./failure.ts";

const CHUNK_BYTES = 65_536;

/** The frames of an input, all of one link type. */
export class FrameSource {
  /** The unit of the file's times. A pcapng can have several; nanoseconds hold them all. */
  readonly resolution: Resolution;
  readonly #reader = makeCaptureReader();
  readonly #transfer: Transfer;
  readonly #beginning: Uint8Array;
  #linkType: number | undefined;
  #frames = 0;

  /** Of an input from which `beginning`, a classic file's whole header at least, has been read already. */
  constructor(transfer: Transfer, beginning: Uint8Array) {
    this.#transfer = transfer;
    this.#beginning = beginning;
    this.resolution = resolutionOf(beginning) ?? "nanosecond";
  }

  /** LINKTYPE_ value: the frames', or in a file without any that of its first interface. */
  get linkType(): number {
    return this.#linkType ?? this.#reader.interfaces[0]?.linkType ?? LINKTYPE_ETHERNET;
  }

  /** The frames in groups, whose bytes are good until the next one is asked for. Throws a CaptureError, and a DataError at a frame of another link type. */
  async *batches(): AsyncGenerator<CaptureFrame[], void> {
    const { input, progress } = this.#transfer;
    // Two in turn, as the reader has the rest of one until it gets the other; a new one each time is more than is collected in time.
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
    this.#reader.finish();
  }

  #checkLinkType({ linkType }: CaptureFrame): void {
    this.#frames += 1;
    this.#linkType ??= linkType;
    if (linkType === this.#linkType) return;
    const [first, other] = [this.#linkType, linkType].map(
      (number) => dataLinkTypeName(number) ?? `link type ${number}`,
    );
    throw new DataError(
      `the capture's packets are of several link types: ${first}, and ${other} from packet ${this.#frames} on; a pcap holds one`,
    );
  }
}
