/**
 * What a device that uses the router's network layer as a host serves itself. A router has no such services: it refuses TCP and UDP
 * with errors. A device with services does not forward packets.
 */
import type { Ipv4Header } from "../../wire/ipv4.ts";
import type { Tcp } from "../../wire/tcp.ts";
import type { Udp } from "../../wire/udp.ts";

/** Both of one family: numbers for IPv4, bigints for IPv6. */
export interface HostEnds {
  readonly source: number | bigint;
  readonly target: number | bigint;
}

/** TCP over IPv4 of a service of a router: BGP. */
export interface TcpService4 {
  takeTcp(header: Ipv4Header, tcp: Tcp): void;
  /** A link takes only packets of `mtuBytes`. @param packet the beginning of the packet that was too large, from its IP header on. */
  takeTooBig(packet: Uint8Array, mtuBytes: number): void;
}

export interface HostServices {
  /** @param trafficClass DSCP and ECN (RFC 2474, RFC 3168): the octet of the IP header. */
  takeTcp(ends: HostEnds, tcp: Tcp, trafficClass: number): void;
  /** @returns whether something serves the datagram's port. */
  takeUdp(ends: HostEnds, udp: Udp): boolean;
  /**
   * A link on the path, or the own one, takes only packets of `mtuBytes`.
   * @param packet the beginning of the packet that was too large, from its IP header on.
   */
  takeTooBig(packet: Uint8Array, mtuBytes: number): void;
  /** The largest packet that reaches a target, as far as the host knows; undefined for that of the own link. */
  pathMtuTo(target: number | bigint): number | undefined;
}
