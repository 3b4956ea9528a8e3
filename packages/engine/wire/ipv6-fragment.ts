/**
 * IPv6 fragments (RFC 8200, section 4.5).
 *
 *     0             1          2                                  4
 *     next header   reserved   offset (13 bits), reserved, more   identification
 */
import { readU16, readU32, writeU16, writeU32 } from "../base/bytes.ts";
import { IPV6_HEADER_BYTES } from "./ipv6.ts";

export const PROTOCOL_IPV6_FRAGMENT = 44;
export const FRAGMENT_HEADER_BYTES = 8;

const PAYLOAD_LENGTH_AT = 4;
const NEXT_HEADER_AT = 6;
const OFFSET_MASK = 0xfff8;
const MORE_FRAGMENTS = 1;

/** @param place the second word of a fragment header. */
export const offsetOfFragment = (place: number): number => place & OFFSET_MASK;
export const isMoreFragments = (place: number): boolean => (place & MORE_FRAGMENTS) !== 0;

export interface Ipv6Fragment {
  /** The next header of the whole packet. */
  readonly nextHeader: number;
  /** Offset of the data in the whole packet, in bytes. */
  readonly offset: number;
  readonly moreFragments: boolean;
  readonly id: number;
  /** A view of the payload's bytes. */
  readonly data: Uint8Array;
}

/** @param payload begins with a fragment header. @returns null if the payload is shorter than the header. */
export function decodeIpv6Fragment(payload: Uint8Array): Ipv6Fragment | null {
  if (payload.length < FRAGMENT_HEADER_BYTES) return null;
  const place = readU16(payload, 2);
  return {
    nextHeader: payload[0] as number,
    offset: offsetOfFragment(place),
    moreFragments: isMoreFragments(place),
    id: readU32(payload, 4),
    data: payload.subarray(FRAGMENT_HEADER_BYTES),
  };
}

/**
 * Splits a packet without extension headers into fragments of at most `mtuBytes`.
 * @param mtuBytes 56 or more, so that every fragment carries at least 8 bytes.
 */
export function fragmentIpv6(packet: Uint8Array, id: number, mtuBytes: number): Uint8Array[] {
  const step = (mtuBytes - IPV6_HEADER_BYTES - FRAGMENT_HEADER_BYTES) & ~7;
  const fragments: Uint8Array[] = [];
  for (let start = IPV6_HEADER_BYTES; start < packet.length; start += step) {
    const more = start + step < packet.length ? MORE_FRAGMENTS : 0;
    const data = packet.subarray(start, start + step);
    fragments.push(encodeFragment(packet, (start - IPV6_HEADER_BYTES) | more, id, data));
  }
  return fragments;
}

function encodeFragment(packet: Uint8Array, place: number, id: number, data: Uint8Array): Uint8Array {
  const at = IPV6_HEADER_BYTES;
  const fragment = new Uint8Array(at + FRAGMENT_HEADER_BYTES + data.length);
  fragment.set(packet.subarray(0, at));
  writeU16(fragment, PAYLOAD_LENGTH_AT, FRAGMENT_HEADER_BYTES + data.length);
  fragment[NEXT_HEADER_AT] = PROTOCOL_IPV6_FRAGMENT;
  fragment[at] = packet[NEXT_HEADER_AT] as number;
  writeU16(fragment, at + 2, place);
  writeU32(fragment, at + 4, id);
  fragment.set(data, at + FRAGMENT_HEADER_BYTES);
  return fragment;
}
