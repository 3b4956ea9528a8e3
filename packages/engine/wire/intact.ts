/**
 * Verifies the checksums of received packets: the IPv4 header's (RFC 791), and those of ICMP (RFC 792), UDP (RFC 768), TCP
 * (RFC 9293) and ICMPv6 (RFC 4443).
 *
 * Each function reads the packet in place, once, and allocates nothing. `at` is the packet's offset in `bytes`. A UDP datagram
 * with an impossible length counts as intact, because its decoder rejects it.
 */
import { readU16 } from "../base/bytes.ts";
import { checksum, pseudoHeaderSum4, pseudoHeaderSum6 } from "../base/checksum.ts";
import { type Ipv4Header, PROTOCOL_ICMP, PROTOCOL_ICMPV6, PROTOCOL_TCP, PROTOCOL_UDP } from "./ipv4.ts";
import { IPV6_HEADER_BYTES, type Ipv6Header } from "./ipv6.ts";
import { UDP_HEADER_BYTES } from "./udp.ts";

const UDP_LENGTH_OFFSET = 4;
const UDP_CHECKSUM_OFFSET = 6;

export const isHeaderIntact4 = (bytes: Uint8Array, at: number, { headerBytes }: Ipv4Header): boolean =>
  checksum(bytes, at, at + headerBytes) === 0;

/** Requires a whole packet, because a datagram's checksum covers all of its fragments. */
export function isPayloadIntact4(bytes: Uint8Array, at: number, header: Ipv4Header): boolean {
  const { headerBytes, totalBytes, protocol, source, target } = header;
  const start = at + headerBytes;
  const end = at + totalBytes;
  switch (protocol) {
    case PROTOCOL_ICMP:
      return checksum(bytes, start, end) === 0;
    case PROTOCOL_TCP:
      return checksum(bytes, start, end, pseudoHeaderSum4(source, target, protocol, end - start)) === 0;
    case PROTOCOL_UDP: {
      const length = udpLength(bytes, start, end);
      if (length === undefined || readU16(bytes, start + UDP_CHECKSUM_OFFSET) === 0) return true;
      const pseudoSum = pseudoHeaderSum4(source, target, protocol, length);
      return checksum(bytes, start, start + length, pseudoSum) === 0;
    }
    default:
      return true;
  }
}

/** UDP over IPv6 must have a checksum (RFC 8200 section 8.1). */
export function isPayloadIntact6(bytes: Uint8Array, at: number, header: Ipv6Header): boolean {
  const { nextHeader, payloadBytes } = header;
  const start = at + IPV6_HEADER_BYTES;
  const end = start + payloadBytes;
  switch (nextHeader) {
    case PROTOCOL_ICMPV6:
    case PROTOCOL_TCP:
      return checksum(bytes, start, end, pseudoHeaderSum6(bytes, at, nextHeader, payloadBytes)) === 0;
    case PROTOCOL_UDP: {
      const length = udpLength(bytes, start, end);
      if (length === undefined) return true;
      if (readU16(bytes, start + UDP_CHECKSUM_OFFSET) === 0) return false;
      return checksum(bytes, start, start + length, pseudoHeaderSum6(bytes, at, nextHeader, length)) === 0;
    }
    default:
      return true;
  }
}

/** Returns the length in the datagram's header; undefined if the decoder would reject it. */
function udpLength(bytes: Uint8Array, start: number, end: number): number | undefined {
  if (end - start < UDP_HEADER_BYTES) return undefined;
  const length = readU16(bytes, start + UDP_LENGTH_OFFSET);
  return length >= UDP_HEADER_BYTES && length <= end - start ? length : undefined;
}
