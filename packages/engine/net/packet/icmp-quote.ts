/** The IPv4 packets that ICMP errors may be sent about, and the part that they quote (RFC 1812, section 4.3.2). */

import { readU16 } from "../../base/bytes.ts";
import { ETHERNET_HEADER_BYTES } from "../../wire/ethernet.ts";
import {
  ICMP_ECHO,
  ICMP_HEADER_BYTES,
  ICMP_REDIRECT,
  ICMP_TIME_EXCEEDED,
  ICMP_UNREACHABLE,
} from "../../wire/icmp.ts";
import { IPV4_HEADER_BYTES, type Ipv4Header, PROTOCOL_ICMP, PROTOCOL_UDP } from "../../wire/ipv4.ts";
import { UDP_HEADER_BYTES } from "../../wire/udp.ts";
import type { ProbeKey } from "./probe.ts";

const ERROR_MAX_BYTES = 576;
const FRAGMENT_OFFSET_MASK = 0x1fff;
const ICMP_SOURCE_QUENCH = 4;
const ICMP_PARAMETER_PROBLEM = 12;

const ERROR_TYPES: ReadonlySet<number> = new Set([
  ICMP_UNREACHABLE,
  ICMP_SOURCE_QUENCH,
  ICMP_REDIRECT,
  ICMP_TIME_EXCEEDED,
  ICMP_PARAMETER_PROBLEM,
]);

/**
 * Whether an ICMP error may report a packet. Excludes ICMP errors, which would cause errors without end, and later fragments, so
 * that one datagram causes one error. The router drops packets to or from broadcast and multicast addresses before this check.
 */
export function mayCauseError(frame: Uint8Array, header: Ipv4Header): boolean {
  if (header.fragmentOffset > 0) return false;
  const at = ETHERNET_HEADER_BYTES + header.headerBytes;
  const hasType = header.totalBytes > header.headerBytes;
  return header.protocol !== PROTOCOL_ICMP || (hasType && !ERROR_TYPES.has(frame[at] as number));
}

/** The first bytes of the packet, so that the error has at most 576 bytes. */
export const quoteOf = (frame: Uint8Array, { totalBytes }: Ipv4Header): Uint8Array =>
  frame.subarray(
    ETHERNET_HEADER_BYTES,
    ETHERNET_HEADER_BYTES + Math.min(totalBytes, ERROR_MAX_BYTES - IPV4_HEADER_BYTES - ICMP_HEADER_BYTES),
  );

/** The probe in a packet, which is whole or quoted by an error; undefined for other packets and later fragments. */
export function probeIn(packet: Uint8Array): ProbeKey | undefined {
  const at = ((packet[0] ?? 0) & 15) * 4;
  if (packet.length < at + ICMP_HEADER_BYTES || at < IPV4_HEADER_BYTES) return undefined;
  if ((readU16(packet, 6) & FRAGMENT_OFFSET_MASK) !== 0) return undefined;
  const protocol = packet[9];
  if (protocol === PROTOCOL_UDP) return udpProbeAt(packet, at);
  if (protocol !== PROTOCOL_ICMP || packet[at] !== ICMP_ECHO) return undefined;
  return { kind: "echo", id: readU16(packet, at + 4), sequence: readU16(packet, at + 6) };
}

/** The ports of a datagram that begins at `at`; undefined if its header is truncated. */
export function udpProbeAt(packet: Uint8Array, at: number): ProbeKey | undefined {
  if (packet.length < at + UDP_HEADER_BYTES) return undefined;
  return { kind: "udp", id: readU16(packet, at), sequence: readU16(packet, at + 2) };
}

export const isErrorType = (type: number): boolean => ERROR_TYPES.has(type);
