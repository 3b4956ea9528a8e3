/** What a classic pcap begins with; apart from the writer, since most of those who store captures write no records. */
import {
  FILE_HEADER_BYTES,
  PCAP_MAGIC,
  PCAP_VERSION_MAJOR,
  PCAP_VERSION_MINOR,
  type Resolution,
} from "./classic-format.ts";
import { MAX_CAPTURED_BYTES } from "./frame.ts";
import { canonicalLinkType } from "./link-types.ts";

/** Most bytes kept of a frame unless stated otherwise. */
export const DEFAULT_SNAPLEN = 65_535;

export interface RecordFormat {
  /** Most bytes kept of a frame, 1 to 262144; longer frames are cut, and their original length kept. */
  snaplen?: number;
  /** Unit of the fraction of a second; nanoseconds are cut off to microseconds, not rounded. */
  resolution?: Resolution;
}

export interface CaptureFormat extends RecordFormat {
  /** LINKTYPE_ value of all frames. */
  linkType: number;
}

/** The 24 bytes a file begins with. */
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

/** @throws RangeError when it is not in 1 to 262144. */
export function checkSnaplen(snaplen = DEFAULT_SNAPLEN): number {
  if (Number.isInteger(snaplen) && snaplen >= 1 && snaplen <= MAX_CAPTURED_BYTES) return snaplen;
  throw new RangeError(`pcap: snaplen ${snaplen} is not in 1..${MAX_CAPTURED_BYTES}`);
}
