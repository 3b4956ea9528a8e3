/** A packet on its way through the impairments of one direction. */
import type { ImpairmentType } from "./report.ts";

export class WirePacket {
  /** The bytes, which other packets may share: an impairment that changes them sets a new array. */
  data: Uint8Array;
  wireLength: number;
  /** The bytes after the decisions at entry; `data` is another array if the queue has marked the packet. */
  admitted: Uint8Array;
  /** When the packet entered the link. */
  enteredNs: number;
  /** The caller's own data, unchanged. */
  tag: unknown;
  /** Whether `corrupt` has changed the bytes. */
  isDamaged = false;
  /** The delay drawn for the packet; -1 if it overtakes those that are delayed. */
  holdNs = 0;
  /** Uniform over [0, PPB): decides what RED does with the packet. */
  redDraw = 0;
  /** When the packet joined the queue. */
  queuedNs = 0;

  constructor(data: Uint8Array, wireLength: number, enteredNs: number, tag: unknown) {
    this.data = data;
    this.admitted = data;
    this.wireLength = wireLength;
    this.enteredNs = enteredNs;
    this.tag = tag;
  }

  /** Makes the object a new packet. */
  reset(data: Uint8Array, wireLength: number, enteredNs: number, tag: unknown): this {
    this.data = data;
    this.admitted = data;
    this.wireLength = wireLength;
    this.enteredNs = enteredNs;
    this.tag = tag;
    this.isDamaged = false;
    this.holdNs = 0;
    this.redDraw = 0;
    this.queuedNs = 0;
    return this;
  }
}

const NO_BYTES = new Uint8Array(0);

/** Packets whose way has ended, to be used again: objects that live for long are costly to make. */
export class PacketPool {
  readonly #free: WirePacket[] = [];

  take(data: Uint8Array, wireLength: number, enteredNs: number, tag: unknown): WirePacket {
    const packet = this.#free.pop();
    return packet === undefined
      ? new WirePacket(data, wireLength, enteredNs, tag)
      : packet.reset(data, wireLength, enteredNs, tag);
  }

  /** @param packet that nothing refers to any more. */
  give(packet: WirePacket): void {
    packet.data = NO_BYTES;
    packet.admitted = NO_BYTES;
    packet.tag = undefined;
    this.#free.push(packet);
  }
}

/** Gets the packets that leave the impairments. */
export interface WireSink {
  /** @param atNs when the packet arrives, now or later. */
  send(packet: WirePacket, atNs: number): void;
  /** Called for a packet that is lost after it has entered. */
  lose(packet: WirePacket, reason: ImpairmentType): void;
}
