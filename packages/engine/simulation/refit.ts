/**
 * Packets that are larger than the MTU of the link, for devices whose own interface has another MTU: guests. The link does what a router in its
 * middle does: it cuts an IPv4 packet without DF, and reports others to their sender (RFC 1191, RFC 8201), whether that is the guest or a
 * host that it forwards for. The report comes from the packet's target, to which the guest has a route by this port.
 */

import { fragmentIpv4 } from "../net/packet/fragment-ipv4.ts";
import { mayCauseError, quoteOf } from "../net/packet/icmp-quote.ts";
import {
  ETHERNET_HEADER_BYTES,
  ETHERTYPE_IPV4,
  ETHERTYPE_IPV6,
  encodeEthernet,
  sourceMac,
  targetMac,
} from "../wire/ethernet.ts";
import { encodeIcmp, FRAGMENTATION_NEEDED, ICMP_UNREACHABLE } from "../wire/icmp.ts";
import { encodeIcmpv6, ICMPV6_TOO_BIG } from "../wire/icmpv6.ts";
import { decodeIpv4, encodeIpv4, type Ipv4Header, PROTOCOL_ICMP, PROTOCOL_ICMPV6 } from "../wire/ipv4.ts";
import { isHostAddress } from "../wire/ipv4-address.ts";
import { decodeIpv6, encodeIpv6Checked, IPV6_HEADER_BYTES, type Ipv6Header } from "../wire/ipv6.ts";
import { isMulticastIpv6 } from "../wire/ipv6-address.ts";
import { packetOffset } from "../wire/vlan-tag.ts";

const AT = ETHERNET_HEADER_BYTES;
const MACS_BYTES = 12;
const TYPE_BYTES = 2;
const REPORT_TTL = 64;
const MIN_IPV6_MTU_BYTES = 1_280;
const FIRST_INFORMATIONAL_TYPE = 128;

export interface Refitted {
  /** What enters the link in place of the frame. */
  readonly fragments: readonly Uint8Array[];
  /** What the sender receives; undefined if no error may be sent about the packet. */
  readonly report: Uint8Array | undefined;
}

/** @param tagged the frame, possibly with VLAN tags. */
export function refit(tagged: Uint8Array, mtuBytes: number): Refitted {
  const at = packetOffset(tagged);
  const tags = tagged.subarray(MACS_BYTES, at - TYPE_BYTES);
  const frame = join(tagged.subarray(0, MACS_BYTES), tagged.subarray(at - TYPE_BYTES));
  const withTags = (each: Uint8Array): Uint8Array =>
    join(each.subarray(0, MACS_BYTES), tags, each.subarray(MACS_BYTES));
  const header4 = decodeIpv4(frame, AT);
  if (header4 !== null && !header4.dontFragment)
    return { fragments: fragmentIpv4(frame, mtuBytes).map(withTags), report: undefined };
  const header6 = header4 === null ? decodeIpv6(frame, AT) : null;
  const report = header4 ? report4(frame, header4, mtuBytes) : header6 && report6(frame, header6, mtuBytes);
  return { fragments: [], report: report ? withTags(report) : undefined };
}

function report4(frame: Uint8Array, header: Ipv4Header, mtuBytes: number): Uint8Array | undefined {
  if (!mayCauseError(frame, header) || !isHostAddress(header.target)) return undefined;
  const message = encodeIcmp(ICMP_UNREACHABLE, FRAGMENTATION_NEEDED, mtuBytes, quoteOf(frame, header));
  const { source: target, target: source } = header;
  const [packet] = encodeIpv4({ source, target, protocol: PROTOCOL_ICMP, id: 0, ttl: REPORT_TTL }, message);
  return packet && encodeEthernet(sourceMac(frame), targetMac(frame), ETHERTYPE_IPV4, packet);
}

function report6(frame: Uint8Array, header: Ipv6Header, mtuBytes: number): Uint8Array | undefined {
  const { source: target, target: source, nextHeader, payloadBytes } = header;
  const start = AT + IPV6_HEADER_BYTES;
  const isError = nextHeader === PROTOCOL_ICMPV6 && (frame[start] ?? 0) < FIRST_INFORMATIONAL_TYPE;
  if (isError || target === 0n || isMulticastIpv6(source)) return undefined;
  const quoteBytes = Math.min(IPV6_HEADER_BYTES + payloadBytes, MIN_IPV6_MTU_BYTES - IPV6_HEADER_BYTES - 8);
  const message = encodeIcmpv6(ICMPV6_TOO_BIG, 0, mtuBytes, frame.subarray(AT, AT + quoteBytes));
  const fields = { source, target, nextHeader: PROTOCOL_ICMPV6, hopLimit: REPORT_TTL };
  return encodeEthernet(
    sourceMac(frame),
    targetMac(frame),
    ETHERTYPE_IPV6,
    encodeIpv6Checked(fields, message),
  );
}

function join(...parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((bytes, part) => bytes + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
