/** The largest packet that a switch forwards: what is in a frame behind its addresses, VLAN tags and type. */
import { readU16 } from "../../base/bytes.ts";
import { ETHERNET_HEADER_BYTES, VLAN_TAG_BYTES } from "../../wire/ethernet.ts";
import { isTagType } from "../../wire/vlan-tag.ts";

const TYPE_OFFSET = 12;

/** @param frame at least 14 bytes. */
export function packetBytes(frame: Uint8Array): number {
  let at = TYPE_OFFSET;
  while (at + VLAN_TAG_BYTES + 2 <= frame.length && isTagType(readU16(frame, at))) at += VLAN_TAG_BYTES;
  return frame.length - at - (ETHERNET_HEADER_BYTES - TYPE_OFFSET);
}
