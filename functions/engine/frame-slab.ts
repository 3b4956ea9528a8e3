/** What the first slab holds; each further one holds twice as much, up to `MAX_SLAB_BYTES`. */
const FIRST_SLAB_BYTES = 1_024;
const MAX_SLAB_BYTES = 65_536;

/**
 * Room for frames, side by side in larger buffers: in V8 a view of a buffer costs a seventh of a buffer of its own, and its
 * garbage less. As long as a frame is held, so are the up to 64 KiB around it: whoever keeps a few of many frames keeps copies
 * in a slab of his own.
 */
export class FrameSlab {
  #slab = new Uint8Array(0);
  #used = 0;
  #nextBytes = FIRST_SLAB_BYTES;

  /** Zeros, to be written by the caller alone. */
  take(length: number): Uint8Array {
    if (this.#used + length > this.#slab.length) this.#begin(length);
    const start = this.#used;
    this.#used += length;
    return new Uint8Array(this.#slab.buffer, start, length);
  }

  copy(bytes: Uint8Array): Uint8Array {
    const copy = this.take(bytes.length);
    copy.set(bytes);
    return copy;
  }

  #begin(length: number): void {
    this.#slab = new Uint8Array(Math.max(this.#nextBytes, length));
    this.#used = 0;
    this.#nextBytes = Math.min(MAX_SLAB_BYTES, 2 * this.#nextBytes);
  }
}
