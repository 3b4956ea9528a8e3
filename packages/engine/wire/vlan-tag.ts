/**
 * VLAN tags (IEEE 802.1Q): four bytes between the source address and the type.
 *
 *     12          14                         16
 *     ethertype   priority (4 bits), VLAN    type of the payload
 */

import { readU16, writeU16 } from "../base/bytes.ts";
import type { FrameSlab } from "../base/frame-slab.ts";
import {
  afterTypeOrLength,
  ETHERTYPE_OLD_QINQ,
  ETHERTYPE_OLDER_QINQ,
  ETHERTYPE_QINQ,
  ETHERTYPE_VLAN,
  typeOrLength,
  VLAN_TAG_BYTES,
} from "./ethernet.ts";
import type { Protocol } from "./protocol.ts";

const TAG_OFFSET = 12;

/** Whether an EtherType is a tag's. Devices, links and the views of packets all ask here. */
export const isTagType = (etherType: number): boolean =>
  etherType === ETHERTYPE_VLAN ||
  etherType === ETHERTYPE_QINQ ||
  etherType === ETHERTYPE_OLD_QINQ ||
  etherType === ETHERTYPE_OLDER_QINQ;

/** Returns the offset of the packet in an Ethernet frame, behind its tags and the type. */
export function packetOffset(frame: Uint8Array): number {
  let at = TAG_OFFSET;
  while (at + VLAN_TAG_BYTES + 2 <= frame.length && isTagType(readU16(frame, at))) at += VLAN_TAG_BYTES;
  return at + 2;
}

/** Returns the length of the packet in an Ethernet frame, which an MTU limits. */
export const packetBytes = (frame: Uint8Array): number => frame.length - packetOffset(frame);

export interface Tag {
  readonly etherType: number;
  /** Priority and drop eligibility: the four bits above the VLAN. */
  readonly priority: number;
  readonly vlan: number;
}

/** Returns the outermost tag, undefined if there is none. */
export function readTag(frame: Uint8Array): Tag | undefined {
  const etherType = readU16(frame, TAG_OFFSET);
  if (!isTagType(etherType) || frame.length < TAG_OFFSET + VLAN_TAG_BYTES + 2) return undefined;
  const control = readU16(frame, TAG_OFFSET + 2);
  return { etherType, priority: control >> 12, vlan: control & 0xfff };
}

/** Returns a copy of the frame with one more tag. */
export function pushTag(
  frame: Uint8Array,
  { etherType, priority, vlan }: Tag,
  frames: FrameSlab,
): Uint8Array {
  const tagged = frames.take(frame.length + VLAN_TAG_BYTES);
  tagged.set(frame.subarray(0, TAG_OFFSET));
  writeU16(tagged, TAG_OFFSET, etherType);
  writeU16(tagged, TAG_OFFSET + 2, (priority << 12) | vlan);
  tagged.set(frame.subarray(TAG_OFFSET), TAG_OFFSET + VLAN_TAG_BYTES);
  return tagged;
}

/** Returns a copy of the frame without its outermost tag. */
export function popTag(frame: Uint8Array, frames: FrameSlab): Uint8Array {
  const untagged = frames.take(frame.length - VLAN_TAG_BYTES);
  untagged.set(frame.subarray(0, TAG_OFFSET));
  untagged.set(frame.subarray(TAG_OFFSET + VLAN_TAG_BYTES), TAG_OFFSET);
  return untagged;
}

/** The header behind the type of a tag. */
export const VLAN_TAG: Protocol = {
  name: "802.1Q",
  least: [VLAN_TAG_BYTES, "802.1Q tag"],
  layout: [
    ["Priority", 0, 2, (bytes, at) => String(bytes[at]! >> 5)],
    ["Drop eligible", 0, 2, (bytes, at) => (bytes[at]! & 0x10 ? "yes" : "no")],
    ["VLAN", 0, 2, (bytes, at) => String(readU16(bytes, at) & 0xfff)],
    ["Type", 2, 2, typeOrLength, "ethertype"],
  ],
  note: ({ bytes, at }, seen) => {
    seen.vlan ??= readU16(bytes, at) & 0xfff;
  },
  next: (place) => afterTypeOrLength(place, place.at + 2),
};
