/** A frame as a capture file holds it: everything `EpochTime` says of its time, and its bytes. */
export interface CaptureFrame {
  /** Whole seconds since 1970-01-01 UTC; negative before it (pcapng only). */
  seconds: number;
  /** Nanoseconds within the second: an integer in [0, 1e9). */
  nanoseconds: number;
  /**
   * The captured bytes: a view into the chunk they arrived in, or into a buffer of the reader's that is never written
   * again. The frame stays good as long as its owner leaves the chunk alone, and keeps the whole chunk in memory.
   */
  data: Uint8Array;
  /** Length on the wire in bytes, as the file states it. */
  originalLength: number;
  /** LINKTYPE_ value, aliases resolved. */
  linkType: number;
  /** Position of the interface among all interfaces of the file, from 0; always 0 in a classic pcap. */
  interfaceId: number;
}

/** The largest captured length believed, in bytes: libpcap's MAXIMUM_SNAPLEN. */
export const MAX_CAPTURED_BYTES = 262_144;

/** The data of every frame without bytes. */
export const NO_BYTES = new Uint8Array(0);
