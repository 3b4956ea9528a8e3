import type { ChunkWindow } from "./chunk-window.ts";
import type { CaptureFrame } from "./frame.ts";

/** A capture interface as the file describes it. */
export interface CaptureInterface {
  /** LINKTYPE_ value, aliases resolved. */
  linkType: number;
  /** Maximum captured bytes per frame; 0 for no limit. */
  snaplen: number;
  /** The byte order of the file, or of the interface's section of a pcapng. */
  littleEndian: boolean;
}

/** The decoder of one file format. */
export interface FrameDecoder {
  readonly format: "pcap" | "pcapng";
  /** The interfaces found so far, over all sections of the file. */
  readonly interfaces: readonly CaptureInterface[];
  /** Moves all whole frames at hand from the window to the end of `frames`. Throws a CaptureError. */
  decode(window: ChunkWindow, frames: CaptureFrame[]): void;
  /** Ends the file. Throws a CaptureError if it ends in the middle of a header, record or block. */
  finish(window: ChunkWindow): void;
}
