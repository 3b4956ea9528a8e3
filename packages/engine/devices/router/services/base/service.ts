/**
 * What a network service of a router is: RIP, DNS, DHCP relay. A service exists only while it is configured, and only then is it part
 * of the state.
 */
import type { Core } from "../../../../net/plane/core.ts";
import type { Datagram4, Datagram6, Packet4, Packet6 } from "../../../../net/plane/delivery.ts";
import type { Ipv4 } from "../../../../net/plane/ipv4.ts";
import type { Ipv6 } from "../../../../net/plane/ipv6.ts";
import type { NeighbourTable } from "../../../../net/plane/neighbours.ts";
import type { RouterConfig } from "./config.ts";
import type { Liveness } from "./liveness.ts";

export type RouterCore = Core<RouterConfig>;

/** The parts of the router that services use. */
export interface ServiceWorld {
  readonly core: RouterCore;
  readonly ipv4: Ipv4;
  readonly ipv6: Ipv6;
  readonly arp: NeighbourTable<number>;
  readonly neighbours: NeighbourTable<bigint>;
  readonly liveness: Liveness;
}

/** What the services keep between runs, by their names: each adds its own. Services without anything to keep are absent. */
export interface SavedServices {
  /** What routes track and does not answer. */
  readonly track?: readonly string[];
}

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
