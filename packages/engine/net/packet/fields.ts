/** The fields of a packet that rules and connections look at. Reads a frame in place and allocates one object. */
import { readU16 } from "../../base/bytes.ts";
import { ETHERNET_HEADER_BYTES } from "../../wire/ethernet.ts";
import {
  type Ipv4Header,
  PROTOCOL_ICMP,
  PROTOCOL_ICMPV6,
  PROTOCOL_TCP,
  PROTOCOL_UDP,
} from "../../wire/ipv4.ts";
import { IPV6_HEADER_BYTES, type Ipv6Header } from "../../wire/ipv6.ts";

/** The value of a field that the packet does not have. */
export const NONE = -1;

export interface Fields<A extends number | bigint> {
  readonly source: A;
  readonly target: A;
  readonly protocol: number;
  /** The offset of the upper layer's header in the frame. */
  readonly at: number;
  /** The end of the packet in the frame. */
  readonly end: number;
  /** The packet is a fragment other than the first: it has no header of the upper layer. */
  readonly isLaterFragment: boolean;
  /** The ports of TCP and UDP; `NONE` for other protocols. */
  readonly sourcePort: number;
  readonly targetPort: number;
  /** The flags of TCP; `NONE` for other protocols. */
  readonly flags: number;
  /** Type and code of ICMP and ICMPv6; `NONE` for other protocols. */
  readonly icmpType: number;
  readonly icmpCode: number;
}

const TCP_FLAGS_AT = 13;

export const fieldsOf4 = (frame: Uint8Array, header: Ipv4Header): Fields<number> =>
  fieldsAt(
    frame,
    ETHERNET_HEADER_BYTES + header.headerBytes,
    ETHERNET_HEADER_BYTES + header.totalBytes,
    header.protocol,
    header.fragmentOffset > 0,
    header.source,
    header.target,
  );

/** Hop-by-hop options, routing, destination options. */
const OPTION_HEADERS: ReadonlySet<number> = new Set([0, 43, 60]);
const FRAGMENT_HEADER = 44;
const OFFSET_MASK = 0xfff8;

export function fieldsOf6(frame: Uint8Array, header: Ipv6Header): Fields<bigint> {
  const start = ETHERNET_HEADER_BYTES + IPV6_HEADER_BYTES;
  const end = start + header.payloadBytes;
  const { at, protocol, isLater } = skipExtensions(frame, start, end, header.nextHeader);
  return fieldsAt(frame, at, end, protocol, isLater, header.source, header.target);
}

/** Whether a packet has a fragment header. */
export function isFragment6(frame: Uint8Array, { nextHeader, payloadBytes }: Ipv6Header): boolean {
  const start = ETHERNET_HEADER_BYTES + IPV6_HEADER_BYTES;
  return skipExtensions(frame, start, start + payloadBytes, nextHeader).isFragment;
}

interface UpperLayer {
  readonly at: number;
  readonly protocol: number;
  readonly isFragment: boolean;
  /** It is a fragment other than the first. */
  readonly isLater: boolean;
}

/** Finds the header of the upper layer after the extension headers that begin at `start` (RFC 8200, section 4). */
export function skipExtensions(
  frame: Uint8Array,
  start: number,
  end: number,
  nextHeader: number,
): UpperLayer {
  let at = start;
  let protocol = nextHeader;
  let isFragment = false;
  let isLater = false;
  while (!isLater && at + 8 <= end && (OPTION_HEADERS.has(protocol) || protocol === FRAGMENT_HEADER)) {
    isFragment ||= protocol === FRAGMENT_HEADER;
    isLater = protocol === FRAGMENT_HEADER && (readU16(frame, at + 2) & OFFSET_MASK) !== 0;
    const sizeBytes = protocol === FRAGMENT_HEADER ? 8 : ((frame[at + 1] as number) + 1) * 8;
    protocol = frame[at] as number;
    at += sizeBytes;
  }
  return { at: Math.min(at, end), protocol, isFragment, isLater };
}

/** Reads what the upper layer has from `at` to `end`. */
export function fieldsAt<A extends number | bigint>(
  frame: Uint8Array,
  at: number,
  end: number,
  protocol: number,
  isLaterFragment: boolean,
  source: A,
  target: A,
): Fields<A> {
  const size = isLaterFragment ? 0 : end - at;
  const hasPorts = size >= 4 && (protocol === PROTOCOL_TCP || protocol === PROTOCOL_UDP);
  const isIcmp = size >= 2 && (protocol === PROTOCOL_ICMP || protocol === PROTOCOL_ICMPV6);
  return {
    source,
    target,
    protocol,
    at,
    end,
    isLaterFragment,
    sourcePort: hasPorts ? readU16(frame, at) : NONE,
    targetPort: hasPorts ? readU16(frame, at + 2) : NONE,
    flags: protocol === PROTOCOL_TCP && size > TCP_FLAGS_AT ? (frame[at + TCP_FLAGS_AT] as number) : NONE,
    icmpType: isIcmp ? (frame[at] as number) : NONE,
    icmpCode: isIcmp ? (frame[at + 1] as number) : NONE,
  };
}
