/**
 * Packets that wait for long, in columns: a packet is a slot, a small number. Ten thousand packets that wait would not stay in the
 * processor's cache as objects. Free slots are used in the order in which they became free, so that neighbours in time are mostly
 * neighbours in memory.
 */
import type { PacketPool, WirePacket } from "./wire-packet.ts";

const INITIAL_SLOTS = 64;

export class PacketShelf {
  readonly #data: Uint8Array[] = [];
  readonly #tags: unknown[] = [];
  #wireLengths = new Uint32Array(INITIAL_SLOTS);
  #redDraws = new Uint32Array(INITIAL_SLOTS);
  #enteredNs = new Float64Array(INITIAL_SLOTS);
  #holdNs = new Float64Array(INITIAL_SLOTS);
  /** A ring of free slots. */
  #free = Int32Array.from({ length: INITIAL_SLOTS }, (_, slot) => slot);
  #firstFree = 0;
  #freeSlots = INITIAL_SLOTS;

  /** Copies a packet that was not queued yet; returns its slot. */
  put(packet: WirePacket): number {
    if (this.#freeSlots === 0) this.#grow();
    const slot = this.#free[this.#firstFree] as number;
    this.#firstFree = (this.#firstFree + 1) & (this.#free.length - 1);
    this.#freeSlots -= 1;
    this.#data[slot] = packet.data;
    this.#tags[slot] = packet.tag;
    this.#wireLengths[slot] = packet.wireLength;
    this.#redDraws[slot] = packet.redDraw;
    this.#enteredNs[slot] = packet.enteredNs;
    this.#holdNs[slot] = packet.holdNs;
    return slot;
  }

  /** Returns the packet of a slot as an object of the pool, and frees the slot. */
  take(slot: number, pool: PacketPool): WirePacket {
    const packet = pool.take(
      this.#data[slot] as Uint8Array,
      this.#wireLengths[slot] as number,
      this.#enteredNs[slot] as number,
      this.#tags[slot],
    );
    packet.holdNs = this.#holdNs[slot] as number;
    packet.redDraw = this.#redDraws[slot] as number;
    this.#data[slot] = NO_BYTES;
    this.#tags[slot] = undefined;
    this.#free[(this.#firstFree + this.#freeSlots) & (this.#free.length - 1)] = slot;
    this.#freeSlots += 1;
    return packet;
  }

  /** Doubles the slots; none is free. */
  #grow(): void {
    const { length } = this.#free;
    this.#wireLengths = copyInto(new Uint32Array(2 * length), this.#wireLengths);
    this.#redDraws = copyInto(new Uint32Array(2 * length), this.#redDraws);
    this.#enteredNs = copyInto(new Float64Array(2 * length), this.#enteredNs);
    this.#holdNs = copyInto(new Float64Array(2 * length), this.#holdNs);
    this.#free = Int32Array.from({ length: 2 * length }, (_, index) => (index + length) % (2 * length));
    this.#firstFree = 0;
    this.#freeSlots = length;
  }
}

const NO_BYTES = new Uint8Array(0);

function copyInto<T extends Float64Array | Uint32Array>(larger: T, column: T): T {
  larger.set(column);
  return larger;
}
