/**
 * Memory for the bytes of packets on their way. Left as views into the chunks they were read in, they would keep these in
 * memory until a garbage collection that comes late, and a long file would take several times what is under way.
 *
 * Packets are copied into slabs, one after the other. No packet is held longer than the delay filter allows, so a slab is
 * free again once that has passed since the last packet went into it: packets leave in any order, and none needs counting.
 */

import { type EpochTime, NS_PER_MS, NS_PER_SECOND } from "../engine/time.ts";

const SLAB_BYTES = 1_048_576;

interface Slab {
  readonly bytes: Uint8Array;
  used: number;
  /** When the last packet in it entered the link. */
  lastEntryNs: number;
}

export class HeldBytes {
  readonly #start: EpochTime;
  readonly #longestNs: number;
  /** From the one filled first to the one being filled. */
  readonly #slabs: Slab[] = [];
  /** The latest entry so far: what was due by then has been delivered. */
  #nowNs = 0;

  /** For a run that begins at `start`, on a link that holds no packet longer than `longestMs`. */
  constructor(start: EpochTime, longestMs: number) {
    this.#start = start;
    this.#longestNs = longestMs * NS_PER_MS;
  }

  /** A copy of the bytes of a packet that is about to enter, good until it has been delivered. */
  hold(time: EpochTime, data: Uint8Array): Uint8Array {
    const slab = this.#slabFor(data.length);
    const { seconds, nanoseconds } = this.#start;
    const entryNs = (time.seconds - seconds) * NS_PER_SECOND + (time.nanoseconds - nanoseconds);
    // As in the link, a packet from before one that has entered enters now.
    this.#nowNs = Math.max(this.#nowNs, entryNs);
    slab.lastEntryNs = this.#nowNs;
    const start = slab.used;
    slab.used += data.length;
    slab.bytes.set(data, start);
    return slab.bytes.subarray(start, slab.used);
  }

  #slabFor(size: number): Slab {
    const filling = this.#slabs.at(-1);
    if (filling !== undefined && filling.used + size <= SLAB_BYTES) return filling;
    const slab = this.#takeFree() ?? { bytes: new Uint8Array(SLAB_BYTES), used: 0, lastEntryNs: 0 };
    this.#slabs.push(slab);
    return slab;
  }

  #takeFree(): Slab | undefined {
    const oldest = this.#slabs[0];
    if (oldest === undefined || oldest.lastEntryNs + this.#longestNs > this.#nowNs) return undefined;
    this.#slabs.shift();
    oldest.used = 0;
    return oldest;
  }
}
