/** Gives a packet another code point (RFC 2474); the bits of explicit congestion notification stay. */
import { readU16, writeU16 } from "../../base/bytes.ts";
import { updateChecksum } from "../../base/checksum.ts";
import { ETHERNET_HEADER_BYTES } from "../../wire/ethernet.ts";

const AT = ETHERNET_HEADER_BYTES;
const CHECKSUM_AT = AT + 10;
const DSCP_MASK4 = 0x00fc;
const DSCP_MASK6 = 0x0fc0;

/** @param frame is changed. */
export function setDscp4(frame: Uint8Array, dscp: number): void {
  const before = readU16(frame, AT);
  const after = (before & ~DSCP_MASK4) | (dscp << 2);
  writeU16(frame, AT, after);
  writeU16(frame, CHECKSUM_AT, updateChecksum(readU16(frame, CHECKSUM_AT), before, after));
}

export const setDscp6 = (frame: Uint8Array, dscp: number): void =>
  writeU16(frame, AT, (readU16(frame, AT) & ~DSCP_MASK6) | (dscp << 6));
