/** IPv6 frames for tests: encodes and decodes them. */

import {
  ETHERTYPE_IPV6,
  encodeEthernet,
  etherType,
  sourceMac,
  targetMac,
} from "@wirelab/engine/wire/ethernet";
import {
  encodeIcmpv6,
  encodeNeighbour,
  NEIGHBOUR_ADVERTISEMENT,
  NEIGHBOUR_SOLICITATION,
  ROUTER_ADVERTISEMENT,
} from "@wirelab/engine/wire/icmpv6";
import { decodeIpv6, encodeIpv6Checked, type Ipv6Header } from "@wirelab/engine/wire/ipv6";
import { formatIpv6, parseIpv6, writeIpv6 } from "@wirelab/engine/wire/ipv6-address";
import { checksum, pseudoHeaderSum6 } from "../../../packages/engine/base/checksum.ts";

export const PC_MAC = 0x0050_7966_6800;
export const PEER_MAC = 0x0200_0000_0002;
export const ROUTER_MAC = 0x0200_0000_00aa;
const ROUTER = "fe80::ff:fe00:aa";

export const ip6 = (text: string): bigint => parseIpv6(text)!;

export interface Parts {
  readonly source: string;
  readonly target: string;
  readonly nextHeader?: number;
  readonly hopLimit?: number;
  readonly targetMac?: number;
  readonly sourceMac?: number;
}

/** A frame, by default to the PC from its peer; computes the checksum of the payload. */
export function frame6(parts: Parts, payload: Uint8Array): Uint8Array {
  const packet = encodeIpv6Checked(
    {
      source: ip6(parts.source),
      target: ip6(parts.target),
      nextHeader: parts.nextHeader ?? 58,
      hopLimit: parts.hopLimit ?? 255,
    },
    payload,
  );
  return encodeEthernet(parts.targetMac ?? PC_MAC, parts.sourceMac ?? PEER_MAC, ETHERTYPE_IPV6, packet);
}

export const solicitation = (target: string, mac: number | undefined = PEER_MAC): Uint8Array =>
  encodeNeighbour({ type: NEIGHBOUR_SOLICITATION, flags: 0, target: ip6(target), mac });

export const advertisement = (target: string, mac: number | undefined = PEER_MAC): Uint8Array =>
  encodeNeighbour({ type: NEIGHBOUR_ADVERTISEMENT, flags: 0x6000_0000, target: ip6(target), mac });

/** A prefix information option, for addresses unless the flags differ. */
export function prefixOption(
  prefix: string,
  { length = 64, flags = 0xc0, validSeconds = 3600 } = {},
): Uint8Array {
  const option = new Uint8Array(32);
  option.set([3, 4, length, flags, 0, 0, validSeconds >>> 8, validSeconds & 0xff]);
  writeIpv6(option, 16, ip6(prefix));
  return option;
}

export const mtuOption = (mtuBytes: number): Uint8Array =>
  Uint8Array.of(5, 1, 0, 0, 0, 0, mtuBytes >>> 8, mtuBytes & 0xff);

export function routerMessage(
  options: readonly Uint8Array[],
  { hopLimit = 64, lifetimeSeconds = 1800 } = {},
): Uint8Array {
  const data = Uint8Array.from([...new Array(8).fill(0), ...options.flatMap((option) => [...option])]);
  return encodeIcmpv6(ROUTER_ADVERTISEMENT, 0, hopLimit * 0x100_0000 + lifetimeSeconds, data);
}

/** An advertisement to all nodes. */
export const routerFrame = (message: Uint8Array, parts: Partial<Parts> = {}): Uint8Array =>
  frame6(
    { source: ROUTER, target: "ff02::1", targetMac: 0x3333_0000_0001, sourceMac: ROUTER_MAC, ...parts },
    message,
  );

export interface Seen {
  readonly from: string;
  readonly to: string;
  readonly header: Ipv6Header;
  readonly payload: Uint8Array;
  readonly sourceMac: number;
  readonly targetMac: number;
  readonly bytes: number;
  /** Whether the checksum of the payload is correct. */
  readonly isIntact: boolean;
}

/** Returns null for a frame that is not IPv6. */
export function see6(frame: Uint8Array): Seen | null {
  const header = etherType(frame) === ETHERTYPE_IPV6 ? decodeIpv6(frame, 14) : null;
  if (header === null) return null;
  const sum = pseudoHeaderSum6(frame, 14, header.nextHeader, header.payloadBytes);
  return {
    from: formatIpv6(header.source),
    to: formatIpv6(header.target),
    header,
    payload: frame.subarray(54),
    sourceMac: sourceMac(frame),
    targetMac: targetMac(frame),
    bytes: frame.length,
    isIntact: checksum(frame, 54, frame.length, sum) === 0,
  };
}
