/** A frame of a capture file: its time (see `EpochTime`) and its bytes. */
export interface CaptureFrame {
  /** Whole seconds since 1970-01-01 UTC; negative before it (pcapng only). */
  seconds: number;
  /** Nanoseconds within the second: an integer in [0, 1e9). */
  nanoseconds: number;
  /**
   * The captured bytes: a view into the chunk in which they arrived, or into a buffer of the reader that is never written
   * again. The frame is valid as long as the chunk is not changed, and keeps the whole chunk in memory.
   */
  data: Uint8Array;
  /** Length on the wire in bytes, as the file states it. */
  originalLength: number;
  /** LINKTYPE_ value, aliases resolved. */
  linkType: number;
  /** Position of the interface among all interfaces of the file, from 0; always 0 in a classic pcap. */
  interfaceId: number;
}

/** The largest captured length accepted, in bytes: libpcap's MAXIMUM_SNAPLEN. */
export const MAX_CAPTURED_BYTES = 262_144;

/** The data of every frame without bytes. */
export const NO_BYTES = new Uint8Array(0);
