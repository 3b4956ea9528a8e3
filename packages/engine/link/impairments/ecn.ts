/** Congestion marks (RFC 3168): the last two bits of IPv4's type of service and of IPv6's traffic class. */
import { readU16, writeU16 } from "../../base/bytes.ts";
import { updateChecksum } from "../../base/checksum.ts";
import { ETHERTYPE_IPV4, ETHERTYPE_IPV6 } from "../../wire/ethernet.ts";
import { packetOffset } from "../../wire/vlan-tag.ts";

const CONGESTION_EXPERIENCED = 3;
const IPV4_CHECKSUM_OFFSET = 10;

/** Returns a marked copy, the frame itself if it is marked, or undefined if it is not capable of marks. */
export function markCongestion(frame: Uint8Array): Uint8Array | undefined {
  const offset = packetOffset(frame);
  const type = readU16(frame, offset - 2);
  if (type === ETHERTYPE_IPV4 && offset + 20 <= frame.length) {
    const before = readU16(frame, offset);
    if ((before & 3) === 0) return undefined;
    if ((before & 3) === CONGESTION_EXPERIENCED) return frame;
    const marked = frame.slice();
    const after = before | CONGESTION_EXPERIENCED;
    writeU16(marked, offset, after);
    const at = offset + IPV4_CHECKSUM_OFFSET;
    writeU16(marked, at, updateChecksum(readU16(frame, at), before, after));
    return marked;
  }
  if (type === ETHERTYPE_IPV6 && offset + 40 <= frame.length) {
    const bits = ((frame[offset + 1] as number) >> 4) & 3;
    if (bits === 0) return undefined;
    if (bits === CONGESTION_EXPERIENCED) return frame;
    const marked = frame.slice();
    marked[offset + 1] = (frame[offset + 1] as number) | (CONGESTION_EXPERIENCED << 4);
    return marked;
  }
  return undefined;
}
