/** The header of a classic pcap; separate from the writer, because most modules that store captures write no records. */
import {
  FILE_HEADER_BYTES,
  PCAP_MAGIC,
  PCAP_VERSION_MAJOR,
  PCAP_VERSION_MINOR,
  type Resolution,
} from "./classic-format.ts";
import { MAX_CAPTURED_BYTES } from "./frame.ts";
import { canonicalLinkType } from "./link-types.ts";

/** Default maximum of bytes kept per frame. */
export const DEFAULT_SNAPLEN = 65_535;

export interface RecordFormat {
  /** Maximum bytes kept per frame, 1 to 262144; longer frames are cut, and the record keeps their original length. */
  snaplen?: number;
  /** Unit of the fraction of a second; nanoseconds are truncated to microseconds, not rounded. */
  resolution?: Resolution;
}

export interface CaptureFormat extends RecordFormat {
  /** LINKTYPE_ value of all frames. */
  linkType: number;
}

/** Returns the 24 bytes of the file header. */
export function encodeCaptureHeader({
  linkType,
  snaplen,
  resolution = "microsecond",
}: CaptureFormat): Uint8Array {
  const header = new Uint8Array(FILE_HEADER_BYTES);
  const view = new DataView(header.buffer);
  view.setUint32(0, PCAP_MAGIC[resolution], true);
  view.setUint16(4, PCAP_VERSION_MAJOR, true);
  view.setUint16(6, PCAP_VERSION_MINOR, true);
  view.setUint32(16, checkSnaplen(snaplen), true);
  view.setUint32(20, canonicalLinkType(linkType), true);
  return header;
}

/** @throws RangeError if `snaplen` is not in 1..262144. */
export function checkSnaplen(snaplen = DEFAULT_SNAPLEN): number {
  if (Number.isInteger(snaplen) && snaplen >= 1 && snaplen <= MAX_CAPTURED_BYTES) return snaplen;
  throw new RangeError(`pcap: snaplen ${snaplen} is not in 1..${MAX_CAPTURED_BYTES}`);
}
