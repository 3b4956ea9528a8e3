/** Ethernet's smallest frame, without its frame check sequence (IEEE 802.3, 3.2.8). */
const MIN_FRAME_BYTES = 60;

/**
 * The types whose network cards pad shorter frames with zeros, also those that they forward. PCs send frames as VPCS does, and guests as their
 * network card does, which pads none; hubs and clouds repeat what arrives.
 */
const PADDING_TYPES: ReadonlySet<string> = new Set(["ethernet_switch", "router", "server", "nat"]);

export const padsFrames = (type: string | undefined): boolean =>
  type !== undefined && PADDING_TYPES.has(type);

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
