const SLAB_BYTES = 65_536;

/**
 * Makes copies of packets side by side in larger buffers: in V8 a view of a buffer costs a seventh of a buffer of its
 * own. A copy is never written again by the slab; as long as it is held, so are the up to 64 KiB around it.
 */
export class CopySlab {
  #slab = new Uint8Array(0);
  #used = 0;

  copy(bytes: Uint8Array): Uint8Array {
    const start = this.#used;
    const end = start + bytes.length;
    if (end > this.#slab.length) return this.#copyToNewSlab(bytes);
    this.#used = end;
    this.#slab.set(bytes, start);
    return this.#slab.subarray(start, end);
  }

  #copyToNewSlab(bytes: Uint8Array): Uint8Array {
    this.#slab = new Uint8Array(Math.max(SLAB_BYTES, bytes.length));
    this.#slab.set(bytes);
    this.#used = bytes.length;
    return this.#slab.subarray(0, bytes.length);
  }
}
