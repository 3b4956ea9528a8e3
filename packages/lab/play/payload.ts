/** What an Ethernet frame carries, without its tags and padding. */
import { readU16 } from "@wirelab/engine/base/bytes";
import {
  ETHERNET_HEADER_BYTES,
  ETHERTYPE_ARP,
  ETHERTYPE_IPV4,
  ETHERTYPE_IPV6,
  ETHERTYPE_QINQ,
  ETHERTYPE_VLAN,
  VLAN_TAG_BYTES,
} from "@wirelab/engine/wire/ethernet";
import { IPV6_HEADER_BYTES } from "@wirelab/engine/wire/ipv6";

export interface Payload {
  /** The EtherType behind the tags. */
  readonly type: number;
  /** A view. */
  readonly packet: Uint8Array;
}

interface PayloadPlace {
  readonly type: number;
  readonly at: number;
}

/** The EtherType behind the tags, and where its payload begins. */
export function payloadOf(frame: Uint8Array): PayloadPlace {
  let at = ETHERNET_HEADER_BYTES;
  if (frame.length < at) return { type: 0, at: frame.length };
  let type = readU16(frame, at - 2);
  while ((type === ETHERTYPE_VLAN || type === ETHERTYPE_QINQ) && frame.length >= at + VLAN_TAG_BYTES) {
    at += VLAN_TAG_BYTES;
    type = readU16(frame, at - 2);
  }
  return { type, at };
}

export function payloadIn(frame: Uint8Array): Payload {
  const { type, at } = payloadOf(frame);
  const packet = frame.subarray(at);
  return { type, packet: packet.subarray(0, lengthOf(type, packet)) };
}

const ARP_BYTES = 28;
const IPV4_HEADER_BYTES = 20;

/** The length that the packet states; the rest is padding. */
function lengthOf(type: number, packet: Uint8Array): number {
  if (type === ETHERTYPE_ARP) return ARP_BYTES;
  if (type === ETHERTYPE_IPV4 && packet.length >= IPV4_HEADER_BYTES) {
    const stated = readU16(packet, 2);
    return stated < IPV4_HEADER_BYTES ? packet.length : stated;
  }
  if (type === ETHERTYPE_IPV6 && packet.length >= IPV6_HEADER_BYTES)
    return IPV6_HEADER_BYTES + readU16(packet, 4);
  return packet.length;
}
