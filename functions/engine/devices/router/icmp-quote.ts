/** Which IPv4 packets ICMP errors may be about, and how much of them they quote (RFC 1812, section 4.3.2). */

import { readU16 } from "../../wire/bytes.ts";
import { ETHERNET_HEADER_BYTES } from "../../wire/ethernet.ts";
import {
  ICMP_ECHO,
  ICMP_HEADER_BYTES,
  ICMP_REDIRECT,
  ICMP_TIME_EXCEEDED,
  ICMP_UNREACHABLE,
} from "../../wire/icmp.ts";
import { IPV4_HEADER_BYTES, type Ipv4Header, PROTOCOL_ICMP } from "../../wire/ipv4.ts";

const ERROR_MAX_BYTES = 576;
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
 * Not about errors and later fragments: one datagram could cause many errors, or errors about errors. Broadcasts and
 * groups, and what comes from them, are dropped before anybody wants to send an error about them.
 */
export function mayCauseError(frame: Uint8Array, header: Ipv4Header): boolean {
  if (header.fragmentOffset > 0) return false;
  const at = ETHERNET_HEADER_BYTES + header.headerBytes;
  const hasType = header.totalBytes > header.headerBytes;
  return header.protocol !== PROTOCOL_ICMP || (hasType && !ERROR_TYPES.has(frame[at] as number));
}

/** As much of the packet as fits an error of 576 bytes. */
export const quoteOf = (frame: Uint8Array, { totalBytes }: Ipv4Header): Uint8Array =>
  frame.subarray(
    ETHERNET_HEADER_BYTES,
    ETHERNET_HEADER_BYTES + Math.min(totalBytes, ERROR_MAX_BYTES - IPV4_HEADER_BYTES - ICMP_HEADER_BYTES),
  );

/** The echo request in a packet, whole or as an error quotes it; undefined when it is something else. */
export function echoIn(packet: Uint8Array): { id: number; sequence: number } | undefined {
  const at = ((packet[0] ?? 0) & 15) * 4;
  if (packet.length < at + ICMP_HEADER_BYTES || at < IPV4_HEADER_BYTES) return undefined;
  if (packet[9] !== PROTOCOL_ICMP || packet[at] !== ICMP_ECHO) return undefined;
  return { id: readU16(packet, at + 4), sequence: readU16(packet, at + 6) };
}

export const isErrorType = (type: number): boolean => ERROR_TYPES.has(type);
