/**
 * Ethernet II frames (RFC 894) and 802.1Q tags, without frame check sequence.
 *
 *     0        6        12      14
 *     target   source   type    payload
 */
import { readU16, writeU16 } from "../base/bytes.ts";
import { formatMac, readMac, writeMac } from "./mac.ts";
import type { Next, Place, Protocol } from "./protocol.ts";
import { hex, mac } from "./show.ts";

export const ETHERNET_HEADER_BYTES = 14;
export const VLAN_TAG_BYTES = 4;

/** EtherTypes of IEEE; others stand beside their codecs. */
export const ETHERTYPE_IPV4 = 0x0800;
export const ETHERTYPE_ARP = 0x0806;
/** A frame in a tunnel. */
export const ETHERTYPE_BRIDGED = 0x6558;
export const ETHERTYPE_RARP = 0x8035;
export const ETHERTYPE_VLAN = 0x8100;
export const ETHERTYPE_IPX = 0x8137;
export const ETHERTYPE_IPV6 = 0x86dd;
export const ETHERTYPE_MPLS = 0x8847;
export const ETHERTYPE_PPPOE_DISCOVERY = 0x8863;
export const ETHERTYPE_PPPOE_SESSION = 0x8864;
export const ETHERTYPE_QINQ = 0x88a8;
export const ETHERTYPE_LOOPBACK = 0x9000;
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

/** Smaller types are lengths (IEEE 802.3), and LLC follows. */
const SMALLEST_ETHERTYPE = 0x0600;
/** LLC among the EtherTypes. */
export const ETHERTYPE_NONE = -1;

export const typeOrLength = (bytes: Uint8Array, at: number): string => {
  const value = readU16(bytes, at);
  return value < SMALLEST_ETHERTYPE ? `${value} (length)` : hex(value);
};

/** What follows an EtherType at an offset. */
export function afterType({ bytes }: Place, at: number): Next {
  const type = readU16(bytes, at);
  return { to: ["ethertype", type], at: at + 2, unknown: `EtherType ${hex(type)}` };
}

/** What follows an EtherType or a length. */
export const afterTypeOrLength = (place: Place, at: number): Next =>
  readU16(place.bytes, at) < SMALLEST_ETHERTYPE
    ? { to: ["ethertype", ETHERTYPE_NONE], at: at + 2 }
    : afterType(place, at);

export const ETHERNET: Protocol = {
  name: "Ethernet",
  least: [ETHERNET_HEADER_BYTES, "Ethernet header"],
  layout: [
    ["Destination", 0, 6, mac],
    ["Source", 6, 6, mac],
    ["Type", 12, 2, typeOrLength, "ethertype"],
  ],
  note: ({ bytes, at }, seen) => {
    seen.targetMac = formatMac(readMac(bytes, at));
    seen.sourceMac = formatMac(readMac(bytes, at + 6));
  },
  next: (place) => afterTypeOrLength(place, place.at + 12),
};
