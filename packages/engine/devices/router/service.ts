/**
 * What a network service of a router is: RIP, DNS, DHCP relay. A service exists only while it is configured, and only then is it part
 * of the state.
 */
import type { Ipv4Header } from "../../wire/ipv4.ts";
import type { Ipv6Header } from "../../wire/ipv6.ts";
import type { Udp } from "../../wire/udp.ts";
import type { Core } from "./core.ts";
import type { Ipv4 } from "./ipv4.ts";
import type { Ipv6 } from "./ipv6.ts";
import type { NeighbourTable } from "./neighbours.ts";
import type { RouterPort } from "./tables.ts";

/** The parts of the router that services use. */
export interface ServiceWorld {
  readonly core: Core;
  readonly ipv4: Ipv4;
  readonly ipv6: Ipv6;
  readonly arp: NeighbourTable<number>;
  readonly neighbours: NeighbourTable<bigint>;
}

/** A UDP datagram for the router. */
export interface Datagram<H> {
  readonly port: RouterPort;
  readonly header: H;
  readonly udp: Udp;
  /** It was sent to a broadcast or multicast address. */
  readonly toAll: boolean;
}

/** A whole packet for the router of another protocol than ICMP, UDP and TCP. */
export interface Packet<H> {
  readonly port: RouterPort;
  readonly header: H;
  readonly payload: Uint8Array;
}

export type Packet4 = Packet<Ipv4Header>;
export type Packet6 = Packet<Ipv6Header>;
export type Datagram4 = Datagram<Ipv4Header>;
export type Datagram6 = Datagram<Ipv6Header>;

export interface Service {
  /** The service begins: at power-on, or because it was configured. */
  start(): void;
  /** The service continues with a saved state: restarts its timers. */
  resume(): void;
  /** The configuration or the carrier of a port has changed. */
  changed(): void;
  /** The service is no longer configured. */
  stop(): void;
  /** Plain JSON data. */
  save(): unknown;
  /** What `save` leaves out in the middle of a run: timers, what waits. Absent for services that have none of it. */
  freeze?(): unknown;
  /** Continues in place of `resume`; the service was made with the result of `save`. */
  thaw?(held: unknown): void;
  /** @returns whether the datagram was for the service. */
  receive4?(datagram: Datagram4): boolean;
  receive6?(datagram: Datagram6): boolean;
  /** @returns whether the packet was for the service. */
  receivePacket4?(packet: Packet4): boolean;
  receivePacket6?(packet: Packet6): boolean;
}
