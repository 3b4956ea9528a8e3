/** Encodes the file header of a capture, given the data link type's name in the HTTP interface. */
import { encodeCaptureHeader } from "../pcap/file-header.ts";
import { type DataLinkTypeName, linkTypeOf } from "../pcap/link-types.ts";

/** What a capture's file header says. */
export interface CaptureKind {
  readonly data_link_type: DataLinkTypeName;
  readonly options?: { readonly snaplen?: number | undefined } | undefined;
}

/** 24 bytes: microseconds; snaplen 65535 unless the capture has another. */
export function headerOf({ data_link_type, options }: CaptureKind): Uint8Array {
  const { snaplen } = options ?? {};
  return encodeCaptureHeader({
    linkType: linkTypeOf(data_link_type),
    ...(snaplen !== undefined && { snaplen }),
  });
}
