/**
 * VLAN tags (IEEE 802.1Q): four bytes between the source address and the type.
 *
 *     12          14                         16
 *     ethertype   priority (4 bits), VLAN    type of the payload
 */

import { readU16, writeU16 } from "../base/bytes.ts";
import type { FrameSlab } from "../base/frame-slab.ts";
import { VLAN_TAG_BYTES } from "./ethernet.ts";

const TAG_OFFSET = 12;

/** The ethertypes of a tag: 802.1Q, 802.1ad, and the two used before 802.1ad. */
export const isTagType = (etherType: number): boolean =>
  etherType === 0x8100 || etherType === 0x88a8 || etherType === 0x9100 || etherType === 0x9200;

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
