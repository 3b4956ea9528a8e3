/** What commands that work over IPv4 and IPv6 alike know of either: its addresses, packets and errors. */
import type { Host, Received, ReceivedIpv4, ReceivedIpv6 } from "./host.ts";

export type IpPacket = ReceivedIpv4 | ReceivedIpv6;

/** `A` is an address, `P` a packet that came in. */
export interface AddressFamily<A, P extends IpPacket> {
  /** Stands in the names of its pings, as in `tcp6_seq`. */
  readonly mark: "" | "6";
  is(packet: Received): packet is P;
  format(address: A): string;
  sourceOf(packet: P): A;
  /** TTL or hop limit. */
  ttlOf(packet: P): number;
  protocolOf(packet: P): number;
  /** Any ICMP error for this PC. What it quotes is not looked at. */
  isError(host: Host, packet: P): boolean;
  isUnreachable(host: Host, packet: P): boolean;
  /** `(ICMP type:3, code:0, Destination network unreachable)` */
  errorText(packet: P): string;
}
