/** What the plane hands over: datagrams and packets for the device itself. */
import type { Ipv4Header } from "../../wire/ipv4.ts";
import type { Ipv6Header } from "../../wire/ipv6.ts";
import type { Udp } from "../../wire/udp.ts";
import type { RouterPort } from "./tables.ts";

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

/** Takes what is for the services of a device. Each returns whether it was for one. */
export interface Takers<D, P> {
  readonly datagram: (datagram: D) => boolean;
  readonly packet: (packet: P) => boolean;
}
