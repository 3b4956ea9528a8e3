/**
 * Reads and writes capture files: pcap and pcapng.
 *
 * Guarantees: readers accept chunks of any size, and the frames do not depend on the sizes; frames are views into the chunks,
 * not copies; bad data raises only a CaptureError, with a code and the byte offset; no length found in a file is allocated
 * before its bytes have arrived. Times are exact to the nanosecond.
 *
 * Sources: draft-ietf-opsawg-pcap, draft-ietf-opsawg-pcapng, https://www.tcpdump.org/linktypes.html.
 */

export { CaptureError, type CaptureErrorCode, findCutOff } from "./capture-error.ts";
export {
  type CaptureFile,
  type CaptureReader,
  makeCaptureReader,
  readCapture,
} from "./capture-reader.ts";
export {
  encodeCapture,
  encodeRecords,
  RecordEncoder,
  type RecordInput,
} from "./capture-writer.ts";
export type { Resolution } from "./classic-format.ts";
export type { CaptureInterface } from "./decoder.ts";
export {
  type CaptureFormat,
  DEFAULT_SNAPLEN,
  encodeCaptureHeader,
  type RecordFormat,
} from "./file-header.ts";
export { type CaptureFrame, MAX_CAPTURED_BYTES } from "./frame.ts";
export {
  canonicalLinkType,
  DATA_LINK_TYPES,
  type DataLinkTypeName,
  dataLinkTypeName,
  filterLinkTypeOf,
  LINKTYPE_ETHERNET,
  linkTypeOf,
} from "./link-types.ts";
export {
  encodeInterface,
  encodeSectionHeader,
  type InterfaceDescription,
  PacketBlockEncoder,
} from "./pcapng-writer.ts";
