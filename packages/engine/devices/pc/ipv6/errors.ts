/** ICMPv6 errors (RFC 4443 section 3) as `ping` and `trace` print them. */
import { readU32 } from "../../../base/bytes.ts";
import { ICMPV6_TIME_EXCEEDED, ICMPV6_TOO_BIG, ICMPV6_UNREACHABLE } from "../../../wire/icmpv6.ts";
import { PROTOCOL_ICMPV6 } from "../../../wire/ipv4.ts";
import type { Host, ReceivedIpv6 } from "../host.ts";
import { isOwnIpv6 } from "./send.ts";

const TEXTS: Readonly<Record<number, readonly string[]>> = {
  [ICMPV6_UNREACHABLE]: [
    "No route to destination",
    "Communication with destination administratively prohibited",
    "Beyond scope of source address",
    "Address unreachable",
    "Port unreachable",
    "Source address failed ingress/egress policy",
    "Reject route to destination",
  ],
  [ICMPV6_TOO_BIG]: [],
  [ICMPV6_TIME_EXCEEDED]: ["Hop limit exceeded in transit", "Fragment reassembly time exceeded"],
};

const HEADER_BYTES = 8;

/** Whether a packet is an ICMPv6 error for this PC. Ignores the quoted packet. */
export function isError6(host: Host, { header, payload }: ReceivedIpv6): boolean {
  if (header.nextHeader !== PROTOCOL_ICMPV6 || payload.length < HEADER_BYTES) return false;
  return TEXTS[payload[0] as number] !== undefined && isOwnIpv6(host, header.target);
}

export const isUnreachable6 = ({ payload }: ReceivedIpv6): boolean => payload[0] === ICMPV6_UNREACHABLE;

/** Formats `(ICMP type:1, code:4, Port unreachable)`, or `(new MTU 1280)` for "packet too big". */
export function errorText6({ payload }: ReceivedIpv6): string {
  const [type, code] = payload as unknown as readonly [number, number];
  if (type === ICMPV6_TOO_BIG) return `(new MTU ${readU32(payload, 4)})`;
  return `(ICMP type:${type}, code:${code}, ${TEXTS[type]?.[code] ?? ""})`;
}
