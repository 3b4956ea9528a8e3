/**
 * Which port of a bundle carries a frame: all frames of a conversation go through one port, so they stay in order (IEEE 802.1AX-2014,
 * 6.2.4).
 *
 *     mac    the last four bytes of both addresses
 *     ip     with IPv4 or IPv6, the addresses of the packet too
 *     port   with TCP or UDP, the ports too, unless the packet is a fragment
 *
 * The words are joined by exclusive or and mixed, so that both directions of a conversation have the same value. Frames are hashed without the
 * tag of their VLAN.
 */
import { readU16, readU32 } from "../../../base/bytes.ts";
import { mix32 } from "../../../base/mix32.ts";
import {
  ETHERNET_HEADER_BYTES,
  ETHERTYPE_IPV4,
  ETHERTYPE_IPV6,
  etherType,
  VLAN_TAG_BYTES,
} from "../../../wire/ethernet.ts";
import { PROTOCOL_TCP, PROTOCOL_UDP } from "../../../wire/ipv4.ts";
import { isTagType } from "../../../wire/vlan-tag.ts";
import type { BundleHash } from "./settings.ts";

const IPV6_BYTES = 40;
const FRAGMENT = 0x3fff;

export function hashOf(kind: BundleHash, frame: Uint8Array): number {
  const macs = readU32(frame, 2) ^ readU32(frame, 8);
  return mix32(kind === "mac" ? macs : macs ^ packetWords(kind, frame));
}

function packetWords(kind: BundleHash, frame: Uint8Array): number {
  const hasTag = isTagType(etherType(frame)) && frame.length >= ETHERNET_HEADER_BYTES + VLAN_TAG_BYTES;
  const at = ETHERNET_HEADER_BYTES + (hasTag ? VLAN_TAG_BYTES : 0);
  const type = readU16(frame, at - 2);
  if (type === ETHERTYPE_IPV4 && at + 20 <= frame.length) {
    const addresses = readU32(frame, at + 12) ^ readU32(frame, at + 16);
    const isWhole = (readU16(frame, at + 6) & FRAGMENT) === 0;
    return addresses ^ (isWhole ? portWords(kind, frame, frame[at + 9]!, at + (frame[at]! & 15) * 4) : 0);
  }
  if (type !== ETHERTYPE_IPV6 || at + IPV6_BYTES > frame.length) return 0;
  let words = portWords(kind, frame, frame[at + 6]!, at + IPV6_BYTES);
  for (let word = at + 8; word < at + IPV6_BYTES; word += 4) words ^= readU32(frame, word);
  return words;
}

const portWords = (kind: BundleHash, frame: Uint8Array, protocol: number, at: number): number =>
  kind === "port" && (protocol === PROTOCOL_TCP || protocol === PROTOCOL_UDP) && at + 4 <= frame.length
    ? readU16(frame, at) ^ readU16(frame, at + 2)
    : 0;
