/** What an Ethernet frame carries, without its tags and padding. */
import { readU16 } from "@wirelab/engine/base/bytes";
import { ARP_BYTES } from "@wirelab/engine/wire/arp";
import {
  ETHERNET_HEADER_BYTES,
  ETHERTYPE_ARP,
  ETHERTYPE_IPV4,
  ETHERTYPE_IPV6,
} from "@wirelab/engine/wire/ethernet";
import { IPV4_HEADER_BYTES } from "@wirelab/engine/wire/ipv4";
import { IPV6_HEADER_BYTES } from "@wirelab/engine/wire/ipv6";
import { packetOffset } from "@wirelab/engine/wire/vlan-tag";

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
  if (frame.length < ETHERNET_HEADER_BYTES) return { type: 0, at: frame.length };
  const at = packetOffset(frame);
  return { type: readU16(frame, at - 2), at };
}

export function payloadIn(frame: Uint8Array): Payload {
  const { type, at } = payloadOf(frame);
  const packet = frame.subarray(at);
  return { type, packet: packet.subarray(0, lengthOf(type, packet)) };
}

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
