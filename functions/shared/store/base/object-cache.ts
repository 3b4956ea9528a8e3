/**
 * A cache of small objects in the memory of an execution environment; it evicts the least recently used. Only objects that never
 * change after they are written belong here: a second read of such a key returns the same bytes.
 */

/** Bounds the bytes of all cached objects together. */
const MOST_BYTES = 8 * 1024 * 1024;
/** A larger object is not cached. Most symbols have a few kilobytes. */
const MOST_BYTES_OF_ONE = 256 * 1024;

export class ObjectCache {
  /** The least recently used comes first. */
  readonly #objects = new Map<string, Uint8Array>();
  #bytes = 0;

  /** @param read reads an object that is not in the cache. If it finds none, the next call reads again. */
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
