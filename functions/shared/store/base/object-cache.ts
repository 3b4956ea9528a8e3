/**
 * Bytes of objects that are written once and never changed, so that what was read under a key is what a further read would get. An
 * execution environment keeps the small ones that were used last.
 */

/** Of all objects, and of one: most symbols have a few kilobytes. */
const MOST_BYTES = 8 * 1024 * 1024;
const MOST_BYTES_OF_ONE = 256 * 1024;

export class ObjectCache {
  /** The least recently used comes first. */
  readonly #objects = new Map<string, Uint8Array>();
  #bytes = 0;

  /** @param read reads an object that is not kept; what it does not find is asked for again. */
  async get(
    key: string,
    read: (key: string) => Promise<Uint8Array | undefined>,
  ): Promise<Uint8Array | undefined> {
    const kept = this.#objects.get(key);
    if (kept !== undefined) {
      this.#objects.delete(key);
      this.#objects.set(key, kept);
      return kept;
    }
    const bytes = await read(key);
    if (bytes !== undefined && bytes.length <= MOST_BYTES_OF_ONE) this.#keep(key, bytes);
    return bytes;
  }

  #keep(key: string, bytes: Uint8Array): void {
    // Another request may have read the same object meanwhile.
    if (this.#objects.has(key)) return;
    this.#objects.set(key, bytes);
    this.#bytes += bytes.length;
    for (const [oldest, { length }] of this.#objects) {
      if (this.#bytes <= MOST_BYTES) return;
      this.#objects.delete(oldest);
      this.#bytes -= length;
    }
  }
}
