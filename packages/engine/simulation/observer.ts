/**
 * Watches the frames of a run without changing it: what enters a link, what the filters do to it, what arrives, what a device
 * discards. A run without an observer pays one comparison for each of these.
 */
import type { DropReason } from "../link/link-direction.ts";
import type { LinkLine } from "./link-line.ts";
import type { SimNode } from "./sim-node.ts";

/** What a link does to a frame that enters it. */
export interface Entry {
  readonly line: LinkLine;
  readonly atNs: number;
  /** The frame as the device sent it. Valid after the call: devices do not modify frames. */
  readonly frame: Uint8Array;
  /** What drops the frame at entry; undefined if it passes. With impairments it may still be lost in the queue. */
  readonly droppedBy: DropReason | undefined;
  /** The frame that will arrive: other bytes than `frame` if a filter corrupted it. */
  readonly passed: Uint8Array;
  readonly delayNs: number;
}

/** A frame that is lost on a link after it has entered. */
export interface Loss {
  readonly line: LinkLine;
  readonly atNs: number;
  /** As `passed` of the entry. */
  readonly frame: Uint8Array;
  readonly droppedBy: DropReason;
}

/** A frame at the other end of a link. */
export interface Arrival {
  readonly line: LinkLine;
  readonly atNs: number;
  readonly frame: Uint8Array;
  /** As `passed` of the entry: other bytes than `frame` if a queue has marked it. */
  readonly passed: Uint8Array;
}

/** A packet that a device discards. */
export interface Discard {
  readonly node: SimNode;
  readonly atNs: number;
  /** The frame that the device was handling; undefined if it discards a packet later, when a timer fires. */
  readonly frame: Uint8Array | undefined;
  /** In words: `no route`. */
  readonly reason: string;
}

export interface Observer {
  entered?(entry: Entry): void;
  lost?(loss: Loss): void;
  arrived?(arrival: Arrival): void;
  discarded?(discard: Discard): void;
}
