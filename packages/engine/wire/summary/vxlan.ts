/** Describes VXLAN datagrams (RFC 7348): the segment, and the frame inside. */
import {
  ETHERNET_HEADER_BYTES,
  ETHERTYPE_ARP,
  ETHERTYPE_IPV4,
  ETHERTYPE_IPV6,
  ETHERTYPE_VLAN,
  etherType,
  sourceMac,
  targetMac,
} from "../ethernet.ts";
import { formatMac } from "../mac.ts";
import { decodeVxlan } from "../vxlan.ts";

const TYPES: Readonly<Record<number, string>> = {
  [ETHERTYPE_IPV4]: "IPv4",
  [ETHERTYPE_ARP]: "ARP",
  [ETHERTYPE_IPV6]: "IPv6",
  [ETHERTYPE_VLAN]: "VLAN",
};

/** Returns undefined if the data are no VXLAN, or too short for a frame. */
export function describeVxlan(data: Uint8Array): string | undefined {
  const vxlan = decodeVxlan(data);
  if (vxlan === null || vxlan.frame.length < ETHERNET_HEADER_BYTES) return undefined;
  const { vni, frame } = vxlan;
  const type = TYPES[etherType(frame)] ?? `type 0x${etherType(frame).toString(16).padStart(4, "0")}`;
  return `VNI ${vni} ${type} ${formatMac(sourceMac(frame))} -> ${formatMac(targetMac(frame))}`;
}
