/**
 * The ends of a packet's conversation: two addresses, each with a port.
 *
 * ICMP queries (echo and others, RFC 792) have an identifier in place of ports. It is the port of the end that asks; the port of
 * the end that responds is the kind of query, above all real ports. So the tuple of a response is that of its request, turned round,
 * as for every other protocol.
 */
import { readU16 } from "../../../../base/bytes.ts";
import type { Fields } from "../../../../net/packet/fields.ts";
import { PROTOCOL_ICMP, PROTOCOL_ICMPV6, PROTOCOL_TCP, PROTOCOL_UDP } from "../../../../wire/ipv4.ts";

export interface Tuple<A extends number | bigint> {
  readonly protocol: number;
  readonly source: A;
  readonly sourcePort: number;
  readonly target: A;
  readonly targetPort: number;
}

const QUERY_BASE = 0x1_0000;
const ID_OFFSET = 4;
const ICMP_QUERY_BYTES = 8;

/** Requests and their responses: echo, timestamp, information, address mask; echo and node information of ICMPv6. */
const QUERIES: Readonly<Record<number, readonly (readonly [request: number, response: number])[]>> = {
  [PROTOCOL_ICMP]: [
    [8, 0],
    [13, 14],
    [15, 16],
    [17, 18],
  ],
  [PROTOCOL_ICMPV6]: [
    [128, 129],
    [139, 140],
  ],
};

export const isIcmp = (protocol: number): boolean =>
  protocol === PROTOCOL_ICMP || protocol === PROTOCOL_ICMPV6;

export const hasPorts = (protocol: number): boolean => protocol === PROTOCOL_TCP || protocol === PROTOCOL_UDP;

/** Undefined for packets that belong to no conversation: truncated ones, later fragments, and ICMP other than queries. */
export function tupleOf<A extends number | bigint>(
  frame: Uint8Array,
  packet: Fields<A>,
): Tuple<A> | undefined {
  const { protocol, source, target, at, end, isLaterFragment } = packet;
  if (isLaterFragment) return undefined;
  if (hasPorts(protocol)) {
    if (packet.sourcePort < 0) return undefined;
    return { protocol, source, sourcePort: packet.sourcePort, target, targetPort: packet.targetPort };
  }
  if (!isIcmp(protocol)) return { protocol, source, sourcePort: 0, target, targetPort: 0 };
  if (end - at < ICMP_QUERY_BYTES) return undefined;
  const id = readU16(frame, at + ID_OFFSET);
  for (const [request, response] of QUERIES[protocol] ?? []) {
    const kind = QUERY_BASE + request;
    if (packet.icmpType === request) return { protocol, source, sourcePort: id, target, targetPort: kind };
    if (packet.icmpType === response) return { protocol, source, sourcePort: kind, target, targetPort: id };
  }
  return undefined;
}

export const inverse = <A extends number | bigint>(tuple: Tuple<A>): Tuple<A> => ({
  protocol: tuple.protocol,
  source: tuple.target,
  sourcePort: tuple.targetPort,
  target: tuple.source,
  targetPort: tuple.sourcePort,
});

/** Whether the packet asks: the response to a query begins no conversation. */
export const isRequest = ({ protocol, sourcePort }: Tuple<number | bigint>): boolean =>
  !isIcmp(protocol) || sourcePort < QUERY_BASE;
