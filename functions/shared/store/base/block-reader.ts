/**
 * Reads objects in blocks, for callers that read many captures at once. The reader holds no connection between two blocks. The
 * packets that one run added to many captures lie in few blocks, and each block is read once.
 */
import { readObject } from "./objects.ts";

export class BlockReader {
  readonly #blockBytes: number;
  readonly #most: number;
  /** Ordered by use; the most recently used block is last. */
  readonly #blocks = new Map<string, Promise<Uint8Array | undefined>>();

  /** @param most blocks that are cached for other readers of the same object. */
  constructor(blockBytes: number, most: number) {
    this.#blockBytes = blockBytes;
    this.#most = most;
  }

  /** Yields the object from `offset` to `end`, or to its own end, block by block. Returns undefined when the object is gone. */
  async *read(
    key: string,
    offset = 0,
    end = Number.POSITIVE_INFINITY,
  ): AsyncGenerator<Uint8Array | undefined> {
    for (let at = offset; at < end; ) {
      const begin = at - (at % this.#blockBytes);
      const block = await this.#block(key, begin);
      yield block?.subarray(at - begin, end - begin);
      if (block === undefined || block.length < this.#blockBytes) return;
      at = begin + block.length;
    }
  }

  #block(key: string, begin: number): Promise<Uint8Array | undefined> {
    const name = `${begin} ${key}`;
    const block = this.#blocks.get(name) ?? readObject(key, begin, this.#blockBytes);
    this.#blocks.delete(name);
    this.#blocks.set(name, block);
    const [oldest] = this.#blocks.keys();
    if (this.#blocks.size > this.#most) this.#blocks.delete(oldest!);
    return block;
  }
}
