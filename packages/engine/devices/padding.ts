import { kindOf } from "./find-kind.ts";

/** Ethernet's smallest frame, without its frame check sequence (IEEE 802.3, 3.2.8). */
const MIN_FRAME_BYTES = 60;

/** Hubs and clouds repeat what arrives; PCs send frames as VPCS does, and guests as their network card does, which pads none. */
export const padsFrames = (type: string | undefined): boolean =>
  type !== undefined && kindOf(type)?.padsFrames === true;

/** Pads the frames of one device. A frame that leaves by several ports in a row is padded once. */
export class Padder {
  readonly #take: (length: number) => Uint8Array;
  #short: Uint8Array | undefined;
  #padded: Uint8Array = new Uint8Array(0);

  constructor(take: (length: number) => Uint8Array) {
    this.#take = take;
  }

  pad(frame: Uint8Array): Uint8Array {
    if (frame.length >= MIN_FRAME_BYTES) return frame;
    if (frame === this.#short) return this.#padded;
    const padded = this.#take(MIN_FRAME_BYTES);
    padded.set(frame);
    this.#short = frame;
    this.#padded = padded;
    return padded;
  }
}
