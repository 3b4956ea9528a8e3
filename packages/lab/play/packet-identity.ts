/** Recognises one packet on several links: without its link layer, and without the fields that a router changes. */
import { readU16 } from "@wirelab/engine/base/bytes";
import {
  ETHERNET_HEADER_BYTES,
  ETHERTYPE_IPV4,
  ETHERTYPE_IPV6,
  ETHERTYPE_QINQ,
  ETHERTYPE_VLAN,
  VLAN_TAG_BYTES,
} from "@wirelab/engine/wire/ethernet";
import { PROTOCOL_ICMP, PROTOCOL_TCP, PROTOCOL_UDP } from "@wirelab/engine/wire/ipv4";

const FRAGMENT_AT = 6;
const TTL_AT = 8;
const PROTOCOL_AT = 9;
const ADDRESSES_AT = 12;
const ADDRESSES_END = 20;
const CHECKSUM_AT = 10;
const HOP_LIMIT_AT = 7;

interface Payload {
  readonly type: number;
  readonly at: number;
}

/** The EtherType behind the tags, and where its payload begins. */
export function payloadOf(frame: Uint8Array): Payload {
  let at = ETHERNET_HEADER_BYTES;
  if (frame.length < at) return { type: 0, at: frame.length };
  let type = readU16(frame, at - 2);
  while ((type === ETHERTYPE_VLAN || type === ETHERTYPE_QINQ) && frame.length >= at + VLAN_TAG_BYTES) {
    at += VLAN_TAG_BYTES;
    type = readU16(frame, at - 2);
  }
  return { type, at };
}

/** Equal for two frames that carry the same packet; a corrupted copy and each fragment are packets of their own. */
export function identityOf(frame: Uint8Array): string {
  const { type, at } = payloadOf(frame);
  const packet = frame.slice(at);
  if (type === ETHERTYPE_IPV4 && packet.length > CHECKSUM_AT + 1) {
    packet[TTL_AT] = 0;
    packet[CHECKSUM_AT] = 0;
    packet[CHECKSUM_AT + 1] = 0;
  }
  if (type === ETHERTYPE_IPV6 && packet.length > HOP_LIMIT_AT) packet[HOP_LIMIT_AT] = 0;
  return `${type} ${String.fromCharCode(...packet)}`;
}

/** What a translation of addresses changes in the upper layer's header: ports or identifier, and checksum. */
const TRANSLATED: Readonly<Record<number, readonly (readonly [start: number, end: number])[]>> = {
  [PROTOCOL_ICMP]: [[2, 6]],
  [PROTOCOL_TCP]: [
    [0, 4],
    [16, 18],
  ],
  [PROTOCOL_UDP]: [
    [0, 4],
    [6, 8],
  ],
};

/** Equal for two frames of which one may carry the other's packet after a translation of its addresses; undefined if none may. */
export function identityBehind(frame: Uint8Array): string | undefined {
  const { type, at } = payloadOf(frame);
  if (type !== ETHERTYPE_IPV4 || frame.length < at + ADDRESSES_END) return undefined;
  const copy = frame.slice();
  copy.fill(0, at + ADDRESSES_AT, at + ADDRESSES_END);
  const upperAt = at + ((copy[at] as number) & 15) * 4;
  const isFirst = (readU16(copy, at + FRAGMENT_AT) & 0x1fff) === 0;
  const ranges = isFirst ? TRANSLATED[copy[at + PROTOCOL_AT] as number] : undefined;
  for (const [start, end] of ranges ?? []) copy.fill(0, upperAt + start, upperAt + end);
  return identityOf(copy);
}
