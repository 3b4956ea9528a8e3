/** Which packets a queue keeps, and in which order it gives them out. */
import type { ImpairmentType } from "../report.ts";
import type { WirePacket } from "../wire-packet.ts";

export interface Discipline {
  /** Packets in the queue. */
  readonly length: number;
  readonly bytes: number;
  /** Puts a packet into the queue, or loses it or others. */
  enqueue(packet: WirePacket, nowNs: number): void;
  /** Takes the next packet out, after losing those that must go first; undefined if none is left. */
  dequeue(nowNs: number): WirePacket | undefined;
  /** Takes all packets out, in an order in which they can be put into another queue. */
  drain(): WirePacket[];
  /** Returns the packets, and what `saveState` leaves out. */
  freeze(): unknown;
  /** Fills an empty queue that was made with the result of `saveState`. */
  thaw(frozen: unknown): void;
  /** Times are relative to `originNs`. Plain JSON data without the packets; undefined without state. */
  saveState(originNs: number): unknown;
}

/** What a discipline does to packets besides keeping them. */
export interface Casualties {
  lose(packet: WirePacket, reason: ImpairmentType): void;
  /** Marks the packet, and returns whether it could. */
  mark(packet: WirePacket, reason: ImpairmentType): boolean;
}
