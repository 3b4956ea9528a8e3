/**
 * Packets that are larger than the MTU of the link at the PC's port. The PC sends them in fragments if it may: packets without DF,
 * and answers to echo requests, whose DF bit is the PC's own choice. It reports others to itself as a router would (RFC 1191,
 * RFC 8201), so that it learns the MTU of the path.
 */

import { fragmentIpv4 } from "../../../net/packet/fragment-ipv4.ts";
import {
  ETHERNET_HEADER_BYTES,
  ETHERTYPE_IPV4,
  ETHERTYPE_IPV6,
  encodeEthernet,
  targetMac,
} from "../../../wire/ethernet.ts";
import { encodeIcmp, FRAGMENTATION_NEEDED, ICMP_ECHO_REPLY, ICMP_UNREACHABLE } from "../../../wire/icmp.ts";
import { encodeIcmpv6, ICMPV6_ECHO_REPLY, ICMPV6_TOO_BIG } from "../../../wire/icmpv6.ts";
import {
  decodeIpv4,
  encodeIpv4,
  type Ipv4Header,
  PROTOCOL_ICMP,
  PROTOCOL_ICMPV6,
} from "../../../wire/ipv4.ts";
import { decodeIpv6, encodeIpv6Checked, IPV6_HEADER_BYTES, type Ipv6Header } from "../../../wire/ipv6.ts";
import type { Host } from "../host.ts";
import { MTU6_MIN_BYTES } from "../ipv6/link-mtu.ts";

const AT = ETHERNET_HEADER_BYTES;
/** The largest IPv4 header and 8 bytes behind it. */
const QUOTE_MAX_BYTES = 68;

/** Sends a packet in fragments. @returns instead a frame from the PC to itself with the error, for a packet that may not be cut. */
export function refit(host: Host, frame: Uint8Array, mtuBytes: number): Uint8Array | undefined {
  const header = decodeIpv4(frame, AT);
  if (header !== null) return refit4(host, frame, header, mtuBytes);
  const header6 = decodeIpv6(frame, AT);
  return header6 === null ? undefined : refit6(host, frame, header6, mtuBytes);
}

function refit4(host: Host, frame: Uint8Array, header: Ipv4Header, mtuBytes: number): Uint8Array | undefined {
  const isAnswer = header.protocol === PROTOCOL_ICMP && frame[AT + header.headerBytes] === ICMP_ECHO_REPLY;
  if (!header.dontFragment || isAnswer) {
    for (const fragment of fragmentIpv4(frame, mtuBytes)) host.sendFrame(fragment);
    return undefined;
  }
  discard(host, mtuBytes);
  const { source } = header;
  const quote = frame.subarray(AT, AT + QUOTE_MAX_BYTES);
  const message = encodeIcmp(ICMP_UNREACHABLE, FRAGMENTATION_NEEDED, mtuBytes, quote);
  const [packet] = encodeIpv4({ source, target: source, protocol: PROTOCOL_ICMP, id: 0 }, message);
  return encodeEthernet(host.mac, host.mac, ETHERTYPE_IPV4, packet!);
}

function refit6(host: Host, frame: Uint8Array, header: Ipv6Header, mtuBytes: number): Uint8Array | undefined {
  const start = AT + IPV6_HEADER_BYTES;
  const isAnswer = header.nextHeader === PROTOCOL_ICMPV6 && frame[start] === ICMPV6_ECHO_REPLY;
  if (isAnswer && mtuBytes >= MTU6_MIN_BYTES) {
    const payload = frame.subarray(start, start + header.payloadBytes);
    host.sendIpv6(targetMac(frame), header, payload, mtuBytes);
    return undefined;
  }
  discard(host, mtuBytes);
  const { source } = header;
  const message = encodeIcmpv6(ICMPV6_TOO_BIG, 0, mtuBytes, frame.subarray(AT, start + 8));
  const packet = encodeIpv6Checked({ source, target: source, nextHeader: PROTOCOL_ICMPV6 }, message);
  return encodeEthernet(host.mac, host.mac, ETHERTYPE_IPV6, packet);
}

const discard = (host: Host, mtuBytes: number): void =>
  host.world.discard?.(`larger than the link's MTU of ${mtuBytes} bytes`);
