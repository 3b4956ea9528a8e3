/** What the plane keeps between runs: plain JSON data. Times are lab microseconds since 1970. */
import { interfacesOf, type PlaneConfig } from "./config.ts";
import { type Counters, makeCounters } from "./counters.ts";
import type { SavedNeighbour } from "./neighbours.ts";

export interface PlaneState<C> {
  /** Includes the console's changes since the start. */
  readonly running: C;
  readonly arp: readonly SavedNeighbour<number>[];
  readonly neighbours: readonly SavedNeighbour<string>[];
  readonly counters: Counters;
  /** The identification of the next IPv4 datagram from the router. */
  readonly nextIpv4Id: number;
  readonly nextPingId: number;
  /** Ports whose link has no carrier; absent if all have one. */
  readonly portsDown?: readonly number[];
}

export const initialPlaneState = <C extends PlaneConfig>(running: C): PlaneState<C> => ({
  running,
  arp: [],
  neighbours: [],
  counters: makeCounters(interfacesOf(running).length),
  nextIpv4Id: 1,
  nextPingId: 1,
});
