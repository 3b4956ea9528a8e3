/** Encodes the file header of a capture, given the data link type's name in the HTTP interface. */
import { encodeCaptureHeader } from "../pcap/file-header.ts";
import { type DataLinkTypeName, linkTypeOf } from "../pcap/link-types.ts";

/** 24 bytes: microseconds; snaplen 65535 unless the capture has another. */
export const captureHeader = (dataLinkType: DataLinkTypeName, snaplen?: number | undefined): Uint8Array =>
  encodeCaptureHeader({ linkType: linkTypeOf(dataLinkType), ...(snaplen !== undefined && { snaplen }) });
