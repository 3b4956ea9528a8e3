/** ICMP errors (RFC 792, RFC 1812 section 5.2.7) as `ping` and `trace` print them. */
import { readU32 } from "../../../base/bytes.ts";
import {
  ICMP_HEADER_BYTES,
  ICMP_REDIRECT,
  ICMP_TIME_EXCEEDED,
  ICMP_UNREACHABLE,
} from "../../../wire/icmp.ts";
import { PROTOCOL_ICMP } from "../../../wire/ipv4.ts";
import type { Host, ReceivedIpv4 } from "../host.ts";

const TEXTS: Readonly<Record<number, readonly string[]>> = {
  [ICMP_UNREACHABLE]: [
    "Destination network unreachable",
    "Destination host unreachable",
    "Destination protocol unreachable",
    "Destination port unreachable",
    "Fragmentation required, and DF flag set",
    "Source route failed",
    "Destination network unknown",
    "Destination host unknown",
    "Source host isolated",
    "Network administratively prohibited",
    "Host administratively prohibited",
    "Network unreachable for TOS",
    "Host unreachable for TOS",
    "Communication administratively prohibited",
  ],
  [ICMP_TIME_EXCEEDED]: ["TTL expired in transit", "Fragment reassembly time exceeded"],
};

const REDIRECT_NETWORK = 0;

/** Whether a packet is a complete ICMP message to this PC's address. */
export function isOwnIcmp({ state }: Host, { header, payload }: ReceivedIpv4): boolean {
  if (header.protocol !== PROTOCOL_ICMP || payload.length < ICMP_HEADER_BYTES) return false;
  return header.target === state.ipv4.address;
}

/** Whether a packet is "unreachable" or "time exceeded", with any code. Ignores the quoted packet. */
export const isIcmpError = (host: Host, packet: ReceivedIpv4): boolean =>
  isOwnIcmp(host, packet) && TEXTS[packet.payload[0] as number] !== undefined;

export const isUnreachable = (host: Host, packet: ReceivedIpv4): boolean =>
  isOwnIcmp(host, packet) && packet.payload[0] === ICMP_UNREACHABLE;

/** Returns an empty text for codes without a name and for messages that are not errors. */
export const icmpErrorName = (type: number, code: number): string => TEXTS[type]?.[code] ?? "";

/** `(ICMP type:3, code:0, Destination network unreachable)` */
export function icmpErrorText({ payload }: ReceivedIpv4): string {
  const [type, code] = payload as unknown as readonly [number, number];
  return `(ICMP type:${type}, code:${code}, ${icmpErrorName(type, code)})`;
}

/** Returns the gateway that a network redirect names; undefined for any other packet. */
export function redirectGateway(host: Host, packet: ReceivedIpv4): number | undefined {
  if (!isOwnIcmp(host, packet)) return undefined;
  const isRedirect = packet.payload[0] === ICMP_REDIRECT && packet.payload[1] === REDIRECT_NETWORK;
  return isRedirect ? readU32(packet.payload, 4) : undefined;
}
