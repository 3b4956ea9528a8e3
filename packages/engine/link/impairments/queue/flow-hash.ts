/** A hash of a packet's flow: addresses, protocol and ports. Frames without an IP packet are divided by their addresses. */
import { readU16 } from "../../../base/bytes.ts";
import { mix32 } from "../../../base/mix32.ts";
import { ETHERTYPE_IPV4, ETHERTYPE_IPV6 } from "../../../wire/ethernet.ts";
import { packetOffset } from "../../../wire/vlan-tag.ts";

const PROTOCOLS_WITH_PORTS = [6, 17, 33, 132, 136];

/** 32-bit FNV-1a over a range of bytes. */
function mix(hash: number, frame: Uint8Array, start: number, end: number): number {
  let mixed = hash;
  for (let at = start; at < Math.min(end, frame.length); at++)
    mixed = Math.imul(mixed ^ (frame[at] as number), 0x0100_0193);
  return mixed;
}

/** @returns an unsigned 32-bit number. */
export function hashFlow(frame: Uint8Array, salt: number): number {
  const offset = packetOffset(frame);
  const type = readU16(frame, offset - 2);
  let hash = mix(0x811c9dc5 ^ salt, frame, offset - 2, offset);
  if (type === ETHERTYPE_IPV4 && offset + 20 <= frame.length) {
    const protocol = frame[offset + 9] as number;
    hash = mix(hash, frame, offset + 12, offset + 20) ^ protocol;
    const isFragment = (readU16(frame, offset + 6) & 0x3fff) !== 0;
    const ports = offset + 4 * ((frame[offset] as number) & 15);
    if (!isFragment && PROTOCOLS_WITH_PORTS.includes(protocol)) hash = mix(hash, frame, ports, ports + 4);
  } else if (type === ETHERTYPE_IPV6 && offset + 40 <= frame.length) {
    const protocol = frame[offset + 6] as number;
    hash = mix(hash, frame, offset + 8, offset + 40) ^ protocol;
    if (PROTOCOLS_WITH_PORTS.includes(protocol)) hash = mix(hash, frame, offset + 40, offset + 44);
  } else hash = mix(hash, frame, 0, 12);
  // FNV's low bits alone do not spread well.
  return mix32(hash);
}
