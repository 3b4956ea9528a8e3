/**
 * Learns path MTUs from ICMP "fragmentation needed" (RFC 1191) and ICMPv6 "packet too big" (RFC 8201).
 *
 * The quoted packet must be one that this PC could have sent: from its address to another host, with a supported protocol,
 * and larger than the reported MTU. Any other error changes nothing. No error raises an MTU.
 */
import { readU16, readU32 } from "../../../base/bytes.ts";
import { lowerPathMtu } from "../../../net/packet/path-mtus.ts";
import { FRAGMENTATION_NEEDED, ICMP_HEADER_BYTES, ICMP_UNREACHABLE } from "../../../wire/icmp.ts";
import { ICMPV6_TOO_BIG } from "../../../wire/icmpv6.ts";
import {
  IPV4_HEADER_BYTES,
  PROTOCOL_ICMP,
  PROTOCOL_ICMPV6,
  PROTOCOL_TCP,
  PROTOCOL_UDP,
} from "../../../wire/ipv4.ts";
import { BROADCAST_IPV4, isMulticastIpv4 } from "../../../wire/ipv4-address.ts";
import { IPV6_HEADER_BYTES } from "../../../wire/ipv6.ts";
import { isMulticastIpv6, readIpv6 } from "../../../wire/ipv6-address.ts";
import { PROTOCOL_IPV6_FRAGMENT } from "../../../wire/ipv6-fragment.ts";
import { isOwnIcmp } from "../commands/icmp-error.ts";
import type { Host, ReceivedIpv4, ReceivedIpv6 } from "../host.ts";
import { MTU6_MIN_BYTES } from "../ipv6/link-mtu.ts";
import { isOwnIpv6 } from "../ipv6/send.ts";

/** RFC 1191, section 3: no estimate may be below this. */
const MTU4_MIN_BYTES = 68;
/** RFC 1191, section 7: MTUs of common links, for routers that report none. */
const PLATEAUS = [32_000, 17_914, 8_166, 4_352, 2_002, 1_492, 1_006, 508, 296, MTU4_MIN_BYTES];
const PROTOCOLS4: ReadonlySet<number> = new Set([PROTOCOL_ICMP, PROTOCOL_TCP, PROTOCOL_UDP]);
const PROTOCOLS6: ReadonlySet<number> = new Set([
  PROTOCOL_ICMPV6,
  PROTOCOL_TCP,
  PROTOCOL_UDP,
  PROTOCOL_IPV6_FRAGMENT,
]);

/** An error's report about a packet that was too big. */
interface TooBig {
  readonly target: number | bigint;
  readonly packetBytes: number;
  readonly mtuBytes: number;
}

export function learnPathMtu(host: Host, packet: ReceivedIpv4 | ReceivedIpv6): void {
  const found = packet.kind === "ipv4" ? tooBig4(host, packet) : tooBig6(host, packet);
  if (found === undefined) return;
  const { target, packetBytes, mtuBytes } = found;
  if (mtuBytes >= packetBytes || mtuBytes >= host.mtuTo(target)) return;
  lowerPathMtu(host.state, target, mtuBytes, host.world.nowUs);
}

function tooBig4(host: Host, packet: ReceivedIpv4): TooBig | undefined {
  const { payload } = packet;
  if (payload[0] !== ICMP_UNREACHABLE || payload[1] !== FRAGMENTATION_NEEDED || !isOwnIcmp(host, packet))
    return undefined;
  const quote = payload.subarray(ICMP_HEADER_BYTES);
  if (quote.length < IPV4_HEADER_BYTES || (quote[0] as number) >> 4 !== 4) return undefined;
  const [source, target] = [readU32(quote, 12), readU32(quote, 16)];
  if (source !== host.state.ipv4.address || !isOtherHost4(host, target)) return undefined;
  if (!PROTOCOLS4.has(quote[9] as number)) return undefined;
  const packetBytes = readU16(quote, 2);
  const mtuBytes = readU16(payload, 6) || (PLATEAUS.find((bytes) => bytes < packetBytes) ?? 0);
  return mtuBytes < MTU4_MIN_BYTES ? undefined : { target, packetBytes, mtuBytes };
}

const isOtherHost4 = ({ state }: Host, address: number): boolean =>
  address !== 0 && address !== state.ipv4.address && address !== BROADCAST_IPV4 && !isMulticastIpv4(address);

function tooBig6(host: Host, { header, payload }: ReceivedIpv6): TooBig | undefined {
  if (header.nextHeader !== PROTOCOL_ICMPV6 || payload[0] !== ICMPV6_TOO_BIG) return undefined;
  const quote = payload.subarray(ICMP_HEADER_BYTES);
  if (quote.length < IPV6_HEADER_BYTES || (quote[0] as number) >> 4 !== 6) return undefined;
  const [source, target] = [readIpv6(quote, 8), readIpv6(quote, 24)];
  if (source !== header.target || !isOwnIpv6(host, source) || !isOtherHost6(host, target)) return undefined;
  if (!PROTOCOLS6.has(quote[6] as number)) return undefined;
  const packetBytes = IPV6_HEADER_BYTES + readU16(quote, 4);
  const mtuBytes = readU32(payload, 4);
  return mtuBytes < MTU6_MIN_BYTES ? undefined : { target, packetBytes, mtuBytes };
}

const isOtherHost6 = (host: Host, address: bigint): boolean =>
  address !== 0n && !isOwnIpv6(host, address) && !isMulticastIpv6(address);
