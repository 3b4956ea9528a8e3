/**
 * What a router remembers from run to run: plain JSON data. Times are lab microseconds since 1970, IPv4 addresses
 * numbers, IPv6 ones text. All of it but `startup` is volatile: a router that was stopped begins without it.
 */
import type { RouterConfig } from "./config.ts";
import { type Counters, makeCounters } from "./counters.ts";

export interface RouterState {
  /** With what was typed at the console since the start. */
  readonly running: RouterConfig;
  /** Absent when nothing is saved. */
  readonly startup?: StartupConfig;
  readonly arp: readonly SavedNeighbour<number>[];
  readonly neighbours: readonly SavedNeighbour<string>[];
  readonly leases: readonly Lease[];
  readonly declined: readonly DeclinedAddress[];
  readonly counters: Counters;
  /** Of the next IPv4 datagram the router makes itself. */
  readonly nextIpv4Id: number;
  readonly nextPingId: number;
}

export interface StartupConfig {
  readonly config: RouterConfig;
  /** Fingerprint of the properties that the node had when it was saved. */
  readonly over: string;
}

export type SavedNeighbour<A> = readonly [port: number, address: A, mac: number, expiresUs: number];

export interface Lease {
  readonly port: number;
  readonly address: number;
  /** The client's identifier in hexadecimal, or its MAC address when it gave none. */
  readonly client: string;
  readonly mac: number;
  /** As the client says; empty when it does not. */
  readonly hostName: string;
  /** An offer is kept for its client for a short time. */
  readonly offered: boolean;
  readonly expiresUs: number;
}

/** The router, or a client that declined it, found another host there: not lent before `untilUs`. */
export interface DeclinedAddress {
  readonly port: number;
  readonly address: number;
  readonly untilUs: number;
}

/** A router that has just been switched on. */
export const initialRouterState = ({ ports, routes }: RouterConfig): RouterState => ({
  running: { ports, routes },
  arp: [],
  neighbours: [],
  leases: [],
  declined: [],
  counters: makeCounters(ports.length),
  nextIpv4Id: 1,
  nextPingId: 1,
});
