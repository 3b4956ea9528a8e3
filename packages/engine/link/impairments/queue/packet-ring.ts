/** Packets in order of arrival: a ring, so that neither end costs a copy. */
import type { WirePacket } from "../wire-packet.ts";

export class PacketRing {
  #slots: (WirePacket | undefined)[];
  #head = 0;
  #length = 0;
  #bytes = 0;

  constructor(capacity = 16) {
    this.#slots = new Array(capacity).fill(undefined);
  }

  get length(): number {
    return this.#length;
  }

  get bytes(): number {
    return this.#bytes;
  }

  push(packet: WirePacket): void {
    if (this.#length === this.#slots.length) this.#grow();
    this.#slots[(this.#head + this.#length) & (this.#slots.length - 1)] = packet;
    this.#length += 1;
    this.#bytes += packet.wireLength;
  }

  shift(): WirePacket | undefined {
    if (this.#length === 0) return undefined;
    const packet = this.#slots[this.#head] as WirePacket;
    this.#slots[this.#head] = undefined;
    this.#head = (this.#head + 1) & (this.#slots.length - 1);
    this.#length -= 1;
    this.#bytes -= packet.wireLength;
    return packet;
  }

  list(): WirePacket[] {
    return Array.from(
      { length: this.#length },
      (_, index) => this.#slots[(this.#head + index) & (this.#slots.length - 1)] as WirePacket,
    );
  }

  drain(): WirePacket[] {
    const packets: WirePacket[] = [];
    for (let packet = this.shift(); packet !== undefined; packet = this.shift()) packets.push(packet);
    return packets;
  }

  /** Doubles the slots, whose number is a power of two. */
  #grow(): void {
    const { length } = this.#slots;
    const slots = new Array<WirePacket | undefined>(2 * length).fill(undefined);
    for (let index = 0; index < length; index++)
      slots[index] = this.#slots[(this.#head + index) & (length - 1)];
    this.#slots = slots;
    this.#head = 0;
  }
}
