/**
 * VRRP version 3 advertisements (RFC 5798 and RFC 9568, section 5.2).
 *
 *     0        1     2         3      4                  6          8
 *     0x31     VRID  priority  count  interval (12 bits) checksum   addresses
 */
import { readU16, writeU16, writeU32 } from "../base/bytes.ts";
import { checksum, pseudoHeaderSum4, sumWords } from "../base/checksum.ts";
import { writeIpv6 } from "./ipv6-address.ts";
import type { Place, Protocol } from "./protocol.ts";
import { bytesText } from "./protocol.ts";
import { dec8, hex16, ipv4, ipv6, rowsAt } from "./show.ts";

export const PROTOCOL_VRRP = 112;
export const VRRP_GROUP_IPV4 = 0xe000_0012;
export const VRRP_GROUP_IPV6 = (0xff02n << 112n) | 0x12n;
/** A receiver drops advertisements with another hop limit: they have crossed a router. */
export const VRRP_HOP_LIMIT = 255;
/** The priority of a router that stops to be the master. */
export const PRIORITY_STOPS = 0;
/** The priority of the router whose own addresses are the virtual ones. */
export const PRIORITY_OWNER = 255;

const VERSION_AND_TYPE = 0x31;
const HEADER_BYTES = 8;
const INTERVAL_MASK = 0xfff;
const CHECKSUM_AT = 6;

export interface Advertisement {
  readonly id: number;
  readonly priority: number;
  readonly intervalCs: number;
  readonly addresses: number;
}

/** The MAC address of a virtual router (section 7.3): 00-00-5E-00-01 for IPv4, 00-00-5E-00-02 for IPv6, and its number. */
export const virtualMac = (id: number, isIpv6: boolean): number =>
  0x5e00_0000 + (isIpv6 ? 0x200 : 0x100) + id;

/** Returns null if the packet is not a whole advertisement of version 3. @param addressBytes 4 or 16. */
export function decodeVrrp(packet: Uint8Array, addressBytes: number): Advertisement | null {
  const [first, id = 0, priority = 0, addresses = 0] = packet;
  if (packet.length < HEADER_BYTES || first !== VERSION_AND_TYPE || id === 0 || addresses === 0) return null;
  if (packet.length < HEADER_BYTES + addresses * addressBytes) return null;
  return { id, priority, intervalCs: readU16(packet, 4) & INTERVAL_MASK, addresses };
}

/**
 * Whether the checksum is right. Over IPv4 it may include a pseudo header: RFC 5798 is ambiguous, FRR and keepalived include it, and
 * RFC 9568 does not.
 */
export function isVrrpIntact4(packet: Uint8Array, source: number, target: number): boolean {
  if (checksum(packet) === 0) return true;
  return checksum(packet, 0, packet.length, sum4(packet, source, target)) === 0;
}

export const isVrrpIntact6 = (packet: Uint8Array, source: bigint, target: bigint): boolean =>
  checksum(packet, 0, packet.length, sum6(packet, source, target)) === 0;

/** The checksum includes a pseudo header, as FRR's and keepalived's do. */
export function encodeVrrp4(
  { id, priority, intervalCs }: Omit<Advertisement, "addresses">,
  addresses: readonly number[],
  source: number,
): Uint8Array {
  const packet = new Uint8Array(HEADER_BYTES + addresses.length * 4);
  for (const [index, address] of addresses.entries()) writeU32(packet, HEADER_BYTES + index * 4, address);
  packet.set([VERSION_AND_TYPE, id, priority, addresses.length]);
  writeU16(packet, 4, intervalCs);
  writeU16(packet, CHECKSUM_AT, checksum(packet, 0, packet.length, sum4(packet, source, VRRP_GROUP_IPV4)));
  return packet;
}

export function encodeVrrp6(
  { id, priority, intervalCs }: Omit<Advertisement, "addresses">,
  addresses: readonly bigint[],
  source: bigint,
): Uint8Array {
  const packet = new Uint8Array(HEADER_BYTES + addresses.length * 16);
  for (const [index, address] of addresses.entries()) writeIpv6(packet, HEADER_BYTES + index * 16, address);
  packet.set([VERSION_AND_TYPE, id, priority, addresses.length]);
  writeU16(packet, 4, intervalCs);
  writeU16(packet, CHECKSUM_AT, checksum(packet, 0, packet.length, sum6(packet, source, VRRP_GROUP_IPV6)));
  return packet;
}

const sum4 = ({ length }: Uint8Array, source: number, target: number): number =>
  pseudoHeaderSum4(source, target, PROTOCOL_VRRP, length);

function sum6({ length }: Uint8Array, source: bigint, target: bigint): number {
  const addresses = new Uint8Array(32);
  writeIpv6(addresses, 0, source);
  writeIpv6(addresses, 16, target);
  return sumWords(addresses) + PROTOCOL_VRRP + length;
}

const CENTISECOND_MS = 10;
const addressBytesAt = ({ ip }: Place): number => (ip?.isIpv6 === true ? 16 : 4);

function decodeAt(place: Place): Advertisement | null {
  return decodeVrrp(place.bytes.subarray(place.at, place.end), addressBytesAt(place));
}

export const VRRP: Protocol = {
  name: "VRRP",
  length: ({ at, end }) => end - at,
  check: (place) =>
    decodeAt(place) === null
      ? { text: `no advertisement of version 3 in ${bytesText(place.end - place.at)}`, isOther: true }
      : undefined,
  layout: [
    ["Version", 0, 1, (bytes, at) => String(bytes[at]! >> 4)],
    ["Type", 0, 1, (bytes, at) => ((bytes[at]! & 15) === 1 ? "1 (advertisement)" : String(bytes[at]! & 15))],
    ["Virtual router", 1, 1, dec8],
    ["Priority", 2, 1, dec8, { 0: "stops", 255: "owner" }],
    ["Addresses", 3, 1, dec8],
    ["Interval", 4, 2, (bytes, at) => `${(readU16(bytes, at) & INTERVAL_MASK) * CENTISECOND_MS} ms`],
    ["Checksum", CHECKSUM_AT, 2, hex16],
  ],
  list: (place) => {
    const [bytes, show] = place.ip?.isIpv6 === true ? [16, ipv6] : [4, ipv4];
    return Array.from({ length: place.bytes[place.at + 3] ?? 0 }, (_, index) =>
      rowsAt(place, place.at + HEADER_BYTES + index * bytes, [["Address", 0, bytes, show]]),
    ).flat();
  },
  line: (place) => {
    const { id, priority, intervalCs } = decodeAt(place)!;
    const role = priority === PRIORITY_STOPS ? " stops" : priority === PRIORITY_OWNER ? " owner" : "";
    return `Advertisement of virtual router ${id} priority=${priority}${role} interval=${intervalCs * CENTISECOND_MS} ms`;
  },
};
