/**
 * VXLAN (RFC 7348, section 5): an Ethernet frame in a UDP datagram.
 *
 *     0        1           4      7
 *     flags    reserved    VNI    reserved   frame
 */
import { readU32, writeU32 } from "../base/bytes.ts";
import {
  ETHERNET,
  ETHERNET_HEADER_BYTES,
  ETHERTYPE_ARP,
  ETHERTYPE_IPV4,
  ETHERTYPE_IPV6,
  ETHERTYPE_VLAN,
  etherType,
} from "./ethernet.ts";
import { lacks, type Names, type Protocol } from "./protocol.ts";
import { dec24, hex, hex8, mac } from "./show.ts";

export const VXLAN_PORT = 4_789;
export const VXLAN_HEADER_BYTES = 8;
export const MAX_VNI = 0xff_ffff;

/** The header has a valid VNI. */
const HAS_VNI = 0x08;

export interface Vxlan {
  readonly vni: number;
  /** A view. */
  readonly frame: Uint8Array;
}

/** Returns null if the datagram is truncated or has no VNI. Receivers ignore the reserved fields. */
export function decodeVxlan(data: Uint8Array): Vxlan | null {
  if (data.length < VXLAN_HEADER_BYTES || (data[0]! & HAS_VNI) === 0) return null;
  return { vni: readU32(data, 4) >>> 8, frame: data.subarray(VXLAN_HEADER_BYTES) };
}

/** Returns the data of a datagram, with a copy of the frame. */
export function encodeVxlan({ vni, frame }: Vxlan): Uint8Array {
  const data = new Uint8Array(VXLAN_HEADER_BYTES + frame.length);
  data[0] = HAS_VNI;
  writeU32(data, 4, vni * 0x100);
  data.set(frame, VXLAN_HEADER_BYTES);
  return data;
}

const TYPES = (): Names => ({
  [ETHERTYPE_IPV4]: "IPv4",
  [ETHERTYPE_ARP]: "ARP",
  [ETHERTYPE_IPV6]: "IPv6",
  [ETHERTYPE_VLAN]: "VLAN",
});

export const VXLAN: Protocol = {
  name: "VXLAN",
  isGuess: true,
  least: [VXLAN_HEADER_BYTES, "VXLAN header"],
  layout: [
    ["Flags", 0, 1, hex8],
    ["VNI", 4, 3, dec24],
  ],
  check: (place) =>
    (place.bytes[place.at]! & HAS_VNI) === 0
      ? { text: "VXLAN without a VNI" }
      : lacks(place, ETHERNET_HEADER_BYTES, "frame in VXLAN", place.at + VXLAN_HEADER_BYTES),
  line: ({ bytes, at }) => {
    const frame = bytes.subarray(at + VXLAN_HEADER_BYTES);
    const type = TYPES()[etherType(frame)] ?? `type ${hex(etherType(frame))}`;
    return `VNI ${dec24(bytes, at + 4)} ${type} ${mac(frame, 6)} -> ${mac(frame, 0)}`;
  },
  next: ({ at }) => ({ to: ETHERNET, at: at + VXLAN_HEADER_BYTES, isInside: true }),
};
