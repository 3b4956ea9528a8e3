/**
 * Ethernet II frames (RFC 894) and 802.1Q tags, without frame check sequence.
 *
 *     0        6        12      14
 *     target   source   type    payload
 */
import { readU16, writeU16 } from "../base/bytes.ts";
import { readMac, writeMac } from "./mac.ts";

export const ETHERNET_HEADER_BYTES = 14;
export const VLAN_TAG_BYTES = 4;

export const ETHERTYPE_IPV4 = 0x0800;
export const ETHERTYPE_ARP = 0x0806;
export const ETHERTYPE_VLAN = 0x8100;
export const ETHERTYPE_IPV6 = 0x86dd;
export const ETHERTYPE_QINQ = 0x88a8;
/** Outer tags before 802.1ad. */
export const ETHERTYPE_OLD_QINQ = 0x9100;
export const ETHERTYPE_OLDER_QINQ = 0x9200;

export const targetMac = (frame: Uint8Array): number => readMac(frame, 0);
export const sourceMac = (frame: Uint8Array): number => readMac(frame, 6);
export const etherType = (frame: Uint8Array): number => readU16(frame, 12);

export function writeEthernetHeader(frame: Uint8Array, target: number, source: number, type: number): void {
  writeMac(frame, 0, target);
  writeMac(frame, 6, source);
  writeU16(frame, 12, type);
}

/** Returns a frame with a copy of the payload, not padded to Ethernet's minimum of 60 bytes. */
export function encodeEthernet(
  target: number,
  source: number,
  type: number,
  payload: Uint8Array,
): Uint8Array {
  const frame = new Uint8Array(ETHERNET_HEADER_BYTES + payload.length);
  writeEthernetHeader(frame, target, source, type);
  frame.set(payload, ETHERNET_HEADER_BYTES);
  return frame;
}
