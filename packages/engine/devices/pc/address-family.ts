/** The interface to IPv4 or IPv6 for commands that work over both: addresses, packets and errors. */
import type { Host, Received, ReceivedIpv4, ReceivedIpv6 } from "./host.ts";

export type IpPacket = ReceivedIpv4 | ReceivedIpv6;

/** `A` is an address, `P` a received packet. */
export interface AddressFamily<A, P extends IpPacket> {
  /** Part of the ping names, as in `tcp6_seq`. */
  readonly mark: "" | "6";
  is(packet: Received): packet is P;
  format(address: A): string;
  sourceOf(packet: P): A;
  /** TTL or hop limit. */
  ttlOf(packet: P): number;
  protocolOf(packet: P): number;
  /** Whether a packet is an ICMP error for this PC. Ignores the quoted packet. */
  isError(host: Host, packet: P): boolean;
  isUnreachable(host: Host, packet: P): boolean;
  /** `(ICMP type:3, code:0, Destination network unreachable)` */
  errorText(packet: P): string;
}
