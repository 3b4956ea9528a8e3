/** A packet on its way through the impairments of one direction. */
import type { ImpairmentType } from "./report.ts";

export class WirePacket {
  /** The bytes, which other packets may share: an impairment that changes them sets a new array. */
  data: Uint8Array;
  readonly wireLength: number;
  /** The bytes after the decisions at entry; `data` is another array if the queue has marked the packet. */
  admitted: Uint8Array;
  /** When the packet entered the link. */
  readonly enteredNs: number;
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
}

/** Gets the packets that leave the impairments. */
export interface WireSink {
  /** @param atNs when the packet arrives, now or later. */
  send(packet: WirePacket, atNs: number): void;
  /** Called for a packet that is lost after it has entered. */
  lose(packet: WirePacket, reason: ImpairmentType): void;
}
