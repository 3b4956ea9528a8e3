/** Fragments an IPv4 packet, possibly itself a fragment, that is too large for the next link (RFC 791, section 3.2). */
import { readU16, writeU16 } from "../../base/bytes.ts";
import { ETHERNET_HEADER_BYTES } from "../../wire/ethernet.ts";
import { IPV4_HEADER_BYTES, writeIpv4Checksum } from "../../wire/ipv4.ts";

const AT = ETHERNET_HEADER_BYTES;
const MORE_FRAGMENTS = 0x2000;
const OPTION_END = 0;
const OPTION_NOP = 1;
const COPIED_BIT = 0x80;

/**
 * @param frame an Ethernet frame with a whole IPv4 packet whose lengths are valid. Its fragments have no DF flag.
 * @param mtuBytes 68 or more, so that every fragment holds at least 8 bytes.
 * @returns frames with the same Ethernet header.
 */
export function fragmentIpv4(frame: Uint8Array, mtuBytes: number): Uint8Array[] {
  const headerBytes = ((frame[AT] as number) & 15) * 4;
  const end = AT + readU16(frame, AT + 2);
  const flags = readU16(frame, AT + 6);
  const firstHeader = frame.subarray(AT, AT + headerBytes);
  const laterHeader = headerOfLaterFragments(firstHeader);
  const fragments: Uint8Array[] = [];
  let start = AT + headerBytes;
  let offset = flags & 0x1fff;
  while (start < end) {
    const header = fragments.length === 0 ? firstHeader : laterHeader;
    const room = mtuBytes - header.length;
    const size = end - start <= room ? end - start : room & ~7;
    const moreFragments = start + size < end ? MORE_FRAGMENTS : flags & MORE_FRAGMENTS;
    fragments.push(makeFragment(frame, header, start, size, moreFragments | offset));
    start += size;
    offset += size / 8;
  }
  return fragments;
}

function makeFragment(
  frame: Uint8Array,
  header: Uint8Array,
  start: number,
  size: number,
  flagsAndOffset: number,
): Uint8Array {
  const fragment = new Uint8Array(AT + header.length + size);
  fragment.set(frame.subarray(0, AT));
  fragment.set(header, AT);
  fragment.set(frame.subarray(start, start + size), AT + header.length);
  writeU16(fragment, AT + 2, header.length + size);
  writeU16(fragment, AT + 6, flagsAndOffset);
  writeIpv4Checksum(fragment, AT);
  return fragment;
}

/** Options go into the first fragment only, except those with the copied flag. */
function headerOfLaterFragments(header: Uint8Array): Uint8Array {
  const kept: number[] = [];
  let at = IPV4_HEADER_BYTES;
  while (at < header.length && header[at] !== OPTION_END) {
    if (header[at] === OPTION_NOP) {
      at += 1;
      continue;
    }
    const length = header[at + 1] ?? 0;
    if (length < 2 || at + length > header.length) break;
    if ((header[at] as number) & COPIED_BIT) kept.push(...header.subarray(at, at + length));
    at += length;
  }
  const later = new Uint8Array(IPV4_HEADER_BYTES + ((kept.length + 3) & ~3));
  later.set(header.subarray(0, IPV4_HEADER_BYTES));
  later.set(kept, IPV4_HEADER_BYTES);
  later[0] = 0x40 | (later.length / 4);
  return later;
}
