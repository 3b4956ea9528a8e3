/**
 * The state of a router between runs: plain JSON data. Times are lab microseconds since 1970, IPv4 addresses
 * are numbers, IPv6 ones text. All of it except `startup` is volatile: a router that was stopped starts without it.
 */
import { configOf, interfacesOf, type RouterConfig } from "./config.ts";
import type { ConsoleMode } from "./console-mode.ts";
import { type Counters, makeCounters } from "./counters.ts";
import type { FirewallState } from "./firewall/firewall-state.ts";
import type { SavedServices } from "./saved-services.ts";

export interface RouterState {
  /** Includes the console's changes since the start. */
  readonly running: RouterConfig;
  /** Absent if no configuration is saved. */
  readonly startup?: StartupConfig;
  readonly arp: readonly SavedNeighbour<number>[];
  readonly neighbours: readonly SavedNeighbour<string>[];
  readonly leases: readonly Lease[];
  readonly declined: readonly DeclinedAddress[];
  readonly counters: Counters;
  /** The identification of the next IPv4 datagram from the router. */
  readonly nextIpv4Id: number;
  readonly nextPingId: number;
  /** Ports whose link has no carrier; absent if all have one. */
  readonly portsDown?: readonly number[];
  /** Absent if no service is configured. */
  readonly services?: SavedServices;
  /** The console's mode; absent at the first prompt. */
  readonly consoleMode?: ConsoleMode;
  /** Absent if the router neither filters nor translates. */
  readonly firewall?: FirewallState;
}

export interface StartupConfig {
  readonly config: RouterConfig;
  /** Fingerprint of the node's properties at the time of the save. */
  readonly over: string;
}

export type SavedNeighbour<A> = readonly [port: number, address: A, mac: number, expiresUs: number];

export interface Lease {
  readonly port: number;
  readonly address: number;
  /** The client's identifier in hexadecimal, or its MAC address if it sends none. */
  readonly client: string;
  readonly mac: number;
  /** The host name that the client sends, or an empty string. */
  readonly hostName: string;
  /** An offer is reserved for its client for a short time. */
  readonly offered: boolean;
  readonly expiresUs: number;
}

/** The router, or a client that declined the address, found another host there: it is not leased before `untilUs`. */
export interface DeclinedAddress {
  readonly port: number;
  readonly address: number;
  readonly untilUs: number;
}

/** The state of a router that has just been switched on. */
export const initialRouterState = (config: RouterConfig): RouterState => ({
  running: configOf(config),
  arp: [],
  neighbours: [],
  leases: [],
  declined: [],
  counters: makeCounters(interfacesOf(config).length),
  nextIpv4Id: 1,
  nextPingId: 1,
});
