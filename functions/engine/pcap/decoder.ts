import type { ChunkWindow } from "./chunk-window.ts";
import type { CaptureFrame } from "./frame.ts";

/** What a file says of an interface it captured on. */
export interface CaptureInterface {
  /** LINKTYPE_ value, aliases resolved. */
  linkType: number;
  /** Most bytes captured of a frame; 0 for no limit. */
  snaplen: number;
  /** The byte order of the file, or of the interface's section of a pcapng. */
  littleEndian: boolean;
}

/** The decoder of one file format. */
export interface FrameDecoder {
  readonly format: "pcap" | "pcapng";
  /** The interfaces met so far, over all sections of the file. */
  readonly interfaces: readonly CaptureInterface[];
  /** Moves all whole frames at hand from the window to the end of `frames`. Throws a CaptureError. */
  decode(window: ChunkWindow, frames: CaptureFrame[]): void;
  /** The file ends here. Throws a CaptureError when it ends in the middle of something. */
  finish(window: ChunkWindow): void;
}
