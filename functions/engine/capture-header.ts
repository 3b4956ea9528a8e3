/** The file header of a capture, from the interface's name of its data link type. */
import { type DataLinkTypeName, encodeCaptureHeader, linkTypeOf } from "./pcap/index.ts";

/** 24 bytes: microseconds, snaplen 65535. */
export const captureHeader = (dataLinkType: DataLinkTypeName): Uint8Array =>
  encodeCaptureHeader({ linkType: linkTypeOf(dataLinkType) });
