/**
 * A window over a stream that arrives in chunks: bytes that were read are dropped, an incomplete rest waits for the next chunk.
 *
 *     bytes   [ handed out | start ... unread ... end | free ]
 *     offset    file offset of start
 *
 * Bytes once handed out are never written again: a chunk is used in place; if an incomplete rest must be joined with the next
 * chunk, both are copied to the window's own buffer. That buffer grows by doubling, so chunks of one byte also cost linear
 * time. It holds only bytes that have arrived: no length read from a file is allocated.
 */

import { NO_BYTES } from "./frame.ts";

export class ChunkWindow {
  bytes: Uint8Array = NO_BYTES;
  view: DataView = new DataView(NO_BYTES.buffer);
  start = 0;
  end = 0;
  /** Offset of `start` from the beginning of the stream. */
  offset = 0;
  #toSkip = 0;

  /** Unread bytes at hand. */
  get available(): number {
    return this.end - this.start;
  }

  /** Adds a chunk behind the unread bytes. The chunk must not be changed afterwards. */
  append(chunk: Uint8Array): void {
    if (this.available === 0) this.#use(chunk);
    else this.#join(chunk);
    if (this.#toSkip > 0) this.skip(0);
  }

  /** Marks `count` bytes, all at hand, as read. */
  advance(count: number): void {
    this.start += count;
    this.offset += count;
  }

  /** Skips `count` bytes, at hand or yet to arrive. No bytes are at hand until all of them have arrived. */
  skip(count: number): void {
    const total = this.#toSkip + count;
    const now = Math.min(total, this.available);
    this.advance(now);
    this.#toSkip = total - now;
  }

  /** Bytes still to skip. */
  get skipping(): number {
    return this.#toSkip;
  }

  #use(chunk: Uint8Array): void {
    // A plain Uint8Array even for a Buffer, so that views of it are plain too. It has no free bytes behind its end: a chunk
    // that joins it goes to the window's own buffer, never into the caller's memory.
    this.#setBytes(new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.byteLength), chunk.byteLength);
  }

  #join(chunk: Uint8Array): void {
    const needed = this.available + chunk.length;
    if (this.end + chunk.length > this.bytes.length) {
      const larger = new Uint8Array(Math.max(needed, 2 * this.available));
      larger.set(this.bytes.subarray(this.start, this.end));
      this.#setBytes(larger, this.available);
    }
    this.bytes.set(chunk, this.end);
    this.end += chunk.length;
  }

  #setBytes(bytes: Uint8Array, used: number): void {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.start = 0;
    this.end = used;
  }
}
