/** ICMPv6 (RFC 4443) and neighbour discovery (RFC 4861). Messages have no checksum until `encodeIpv6Checked` adds it. */
import { writeU32 } from "../base/bytes.ts";
import { readIpv6, writeIpv6 } from "./ipv6-address.ts";
import { readMac, writeMac } from "./mac.ts";

export const ICMPV6_UNREACHABLE = 1;
export const ICMPV6_TOO_BIG = 2;
export const ICMPV6_TIME_EXCEEDED = 3;
export const ICMPV6_ECHO = 128;
export const ICMPV6_ECHO_REPLY = 129;
export const ROUTER_SOLICITATION = 133;
export const ROUTER_ADVERTISEMENT = 134;
export const NEIGHBOUR_SOLICITATION = 135;
export const NEIGHBOUR_ADVERTISEMENT = 136;

export const OPTION_SOURCE_LINK_ADDRESS = 1;
export const OPTION_TARGET_LINK_ADDRESS = 2;
export const OPTION_PREFIX = 3;
export const OPTION_MTU = 5;

/** Receivers ignore neighbour discovery with any other hop limit: this one proves a sender on the link (RFC 4861, 7.1). */
export const ND_HOP_LIMIT = 255;

/** Encodes type, code and the 32-bit word after the checksum, then the data. */
export function encodeIcmpv6(type: number, code: number, rest: number, data: Uint8Array): Uint8Array {
  const message = new Uint8Array(8 + data.length);
  message[0] = type;
  message[1] = code;
  writeU32(message, 4, rest);
  message.set(data, 8);
  return message;
}

export interface Neighbour {
  readonly type: typeof NEIGHBOUR_SOLICITATION | typeof NEIGHBOUR_ADVERTISEMENT;
  /** Router, solicited and override in the highest bits; 0 in a solicitation. */
  readonly flags: number;
  readonly target: bigint;
  /** From the link address option; undefined when there is none. */
  readonly mac: number | undefined;
}

/** Returns null if the ICMPv6 message is not a whole neighbour solicitation or advertisement. */
export function decodeNeighbour(message: Uint8Array): Neighbour | null {
  const type = message[0];
  if (message.length < 24 || (type !== NEIGHBOUR_SOLICITATION && type !== NEIGHBOUR_ADVERTISEMENT))
    return null;
  const wanted = type === NEIGHBOUR_SOLICITATION ? OPTION_SOURCE_LINK_ADDRESS : OPTION_TARGET_LINK_ADDRESS;
  const option = findOption(message, 24, wanted);
  return {
    type,
    flags: ((message[4] as number) << 24) >>> 0,
    target: readIpv6(message, 8),
    mac: option && option.length >= 8 ? readMac(option, 2) : undefined,
  };
}

export function encodeNeighbour({ type, flags, target, mac }: Neighbour): Uint8Array {
  const message = new Uint8Array(mac === undefined ? 24 : 32);
  message[0] = type;
  writeU32(message, 4, flags);
  writeIpv6(message, 8, target);
  if (mac !== undefined) {
    message[24] = type === NEIGHBOUR_SOLICITATION ? OPTION_SOURCE_LINK_ADDRESS : OPTION_TARGET_LINK_ADDRESS;
    message[25] = 1;
    writeMac(message, 26, mac);
  }
  return message;
}

/** Returns the first option of a type, type and length bytes included; options begin at `offset`. */
export function findOption(message: Uint8Array, offset: number, type: number): Uint8Array | undefined {
  let at = offset;
  while (at + 2 <= message.length) {
    const length = (message[at + 1] as number) * 8;
    if (length === 0 || at + length > message.length) return undefined;
    if (message[at] === type) return message.subarray(at, at + length);
    at += length;
  }
  return undefined;
}
