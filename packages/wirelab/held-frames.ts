/**
 * Packets in flight on a link, without an object per packet: bytes in slabs, numbers in tables with a row per slot.
 *
 *     slot             0      1      2            slab 0   [ bytes of 0 | bytes of 2 | free ]
 *     slab             0      1      0            slab 1   [ bytes of 1 | free              ]
 *     start, size ...
 *
 * Packets stored as objects with views into the chunks read would keep these chunks in memory until a late garbage collection: a
 * busy link with a long delay would need several times the memory of the packets in flight. Packets leave in any order, so a slab
 * counts its packets and is reused after the last one has left.
 */

import type { DeliveredFrame, FrameStore } from "@wirelab/engine/link/replay";
import { MAX_CAPTURED_BYTES } from "@wirelab/engine/pcap/index";

/** Holds a few of the largest packets, so that little space stays unused at the end. */
const SLAB_BYTES = 4 * MAX_CAPTURED_BYTES;
const FIRST_SLOTS = 1024;

interface Slab {
  /** Index among all slabs. */
  readonly index: number;
  readonly bytes: Uint8Array;
  used: number;
  /** The number of packets with bytes in this slab. */
  packets: number;
}

/** Stores packets of up to MAX_CAPTURED_BYTES, with 32-bit lengths, the limits of captures. */
export class HeldFrames implements FrameStore {
  readonly #slabs: Slab[] = [];
  readonly #emptySlabs: Slab[] = [];
  #filling = this.#makeSlab();

  /** The table, by slot. */
  #slabIndexes = new Uint32Array(0);
  #starts = new Uint32Array(0);
  #sizes = new Uint32Array(0);
  #originalLengths = new Uint32Array(0);
  #frameIndexes = new Float64Array(0);
  /** Unused slots: the first `#freeCount` entries. */
  #free = new Uint32Array(0);
  #freeCount = 0;

  /** Reused for every `take`. */
  readonly #frame: DeliveredFrame = {
    deliveryNs: 0,
    data: this.#filling.bytes,
    originalLength: 0,
    frameIndex: 0,
  };

  /** Copies the bytes. @returns the packet's slot. */
  put(data: Uint8Array, originalLength: number, frameIndex: number): number {
    if (this.#freeCount === 0) this.#grow();
    this.#freeCount -= 1;
    const slot = this.#free[this.#freeCount]!;
    const slab = this.#slabWithRoom(data.length);
    slab.bytes.set(data, slab.used);
    this.#slabIndexes[slot] = slab.index;
    this.#starts[slot] = slab.used;
    this.#sizes[slot] = data.length;
    this.#originalLengths[slot] = originalLength;
    this.#frameIndexes[slot] = frameIndex;
    slab.used += data.length;
    slab.packets += 1;
    return slot;
  }

  /** Returns a frame whose bytes are valid until the next `put`. */
  take(slot: number, deliveryNs: number): DeliveredFrame {
    const slab = this.#slabs[this.#slabIndexes[slot]!]!;
    const start = this.#starts[slot]!;
    const frame = this.#frame;
    frame.deliveryNs = deliveryNs;
    frame.data = slab.bytes.subarray(start, start + this.#sizes[slot]!);
    frame.originalLength = this.#originalLengths[slot]!;
    frame.frameIndex = this.#frameIndexes[slot]!;
    this.#free[this.#freeCount] = slot;
    this.#freeCount += 1;
    this.#leave(slab);
    return frame;
  }

  #leave(slab: Slab): void {
    slab.packets -= 1;
    if (slab.packets > 0) return;
    slab.used = 0;
    if (slab !== this.#filling) this.#emptySlabs.push(slab);
  }

  #slabWithRoom(size: number): Slab {
    if (this.#filling.used + size > SLAB_BYTES) this.#filling = this.#emptySlabs.pop() ?? this.#makeSlab();
    return this.#filling;
  }

  #makeSlab(): Slab {
    const slab = { index: this.#slabs.length, bytes: new Uint8Array(SLAB_BYTES), used: 0, packets: 0 };
    this.#slabs.push(slab);
    return slab;
  }

  #grow(): void {
    const before = this.#starts.length;
    const slots = Math.max(FIRST_SLOTS, 2 * before);
    this.#slabIndexes = enlarged(this.#slabIndexes, new Uint32Array(slots));
    this.#starts = enlarged(this.#starts, new Uint32Array(slots));
    this.#sizes = enlarged(this.#sizes, new Uint32Array(slots));
    this.#originalLengths = enlarged(this.#originalLengths, new Uint32Array(slots));
    this.#frameIndexes = enlarged(this.#frameIndexes, new Float64Array(slots));
    this.#free = new Uint32Array(slots);
    for (let slot = before; slot < slots; slot += 1) this.#free[slot - before] = slot;
    this.#freeCount = slots - before;
  }
}

function enlarged<T extends Uint32Array | Float64Array>(table: T, larger: T): T {
  larger.set(table);
  return larger;
}
