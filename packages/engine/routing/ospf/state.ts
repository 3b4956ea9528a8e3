/** What an OSPF process knows: areas, interfaces, neighbours, link state databases. Plain data, which `saved.ts` stores. */
import type { Description } from "../../wire/ospf.ts";
import type { Aged, Lsa, LsaHeader } from "../../wire/ospf-lsa.ts";
import type { AreaConfig, InterfaceConfig, OspfConfig } from "./config.ts";
import type { Content } from "./content.ts";
import { Timers } from "./timers.ts";

/** The surroundings of a process. */
export interface OspfHost {
  /** Integer microseconds. */
  readonly nowUs: number;
  /** Draws an integer from 0 to below `bound`. */
  random(bound: number): number;
  /** @param content what is in the packet, if its receivers need no key to trust it. */
  send(port: number, target: number, packet: Uint8Array, content: Content | undefined): void;
  /** The routes have changed; they are computed when the host asks for them. */
  routesChanged(): void;
  /** A neighbour's state has changed, for the log. */
  neighbourChanged(change: NeighbourChange): void;
}

export interface NeighbourChange {
  readonly port: number;
  readonly id: number;
  readonly from: NeighbourState;
  readonly to: NeighbourState;
  readonly why: string;
}

/** Section 9.1. */
export type InterfaceState =
  | "down"
  | "loopback"
  | "waiting"
  | "point-to-point"
  | "other"
  | "backup"
  | "designated";

/** Section 10.1, in their order. */
export const NEIGHBOUR_STATES = [
  "down",
  "attempt",
  "init",
  "2-way",
  "exstart",
  "exchange",
  "loading",
  "full",
] as const;
export type NeighbourState = (typeof NEIGHBOUR_STATES)[number];

const RANKS = Object.fromEntries(NEIGHBOUR_STATES.map((state, rank) => [state, rank])) as Readonly<
  Record<NeighbourState, number>
>;
export const isAtLeast = ({ state }: Neighbour, least: NeighbourState): boolean =>
  RANKS[state] >= RANKS[least];

/** A copy of an LSA in a database. */
export interface Entry {
  readonly lsa: Lsa;
  /** The age at `atUs`. */
  age: number;
  atUs: number;
  /** When this instance was originated or received, for the least times between two instances. */
  readonly installedUs: number;
  /** An instance of an own LSA that came from a neighbour: from before a restart, or from another router with this id. */
  readonly isForeign: boolean;
}

export type Database = Map<string, Entry>;

export interface Area {
  config: AreaConfig;
  readonly database: Database;
}

export interface Interface {
  config: InterfaceConfig;
  /** For timers. */
  readonly slot: number;
  state: InterfaceState;
  /** Addresses; 0: none. */
  designated: number;
  backup: number;
  /** By address; at a point-to-point link by router id. */
  readonly neighbours: Map<number, Neighbour>;
  /** LSAs of this link alone (RFC 5250). */
  readonly database: Database;
  /** LSAs that wait to be flooded, by key. */
  readonly outgoing: Map<string, Entry>;
  /** When LSAs were last sent back because the neighbour's were older, by key (section 13, step 8). */
  readonly sentBack: Map<string, number>;
  /** Acknowledgments that wait. */
  acknowledgments: Aged<LsaHeader>[];
  /** The election is to be repeated. */
  isElectionDue: boolean;
  /** While the interface waits: a neighbour has shown that there is a backup, or none. */
  isBackupSeen: boolean;
  /** The last sequence number of a signed packet. */
  sequence: number;
  /** How many packets were refused, by reason. */
  readonly refused: Map<string, number>;
}

export interface Neighbour {
  readonly slot: number;
  id: number;
  address: number;
  state: NeighbourState;
  priority: number;
  /** As its hellos state them. */
  designated: number;
  backup: number;
  options: number;
  /** The last sequence number of its signed packets. */
  sequence: number;
  /** Since when it is in its state. */
  sinceUs: number;
  exchange: Exchange;
  /** What it has newer than the database, by key. */
  readonly requests: Map<string, Aged<LsaHeader>>;
  /** What it has not acknowledged, by key, and when it was sent last. */
  readonly retransmissions: Map<string, Retransmission>;
  /** How often it was sent them in vain, since it last had acknowledged all. */
  attempts: number;
}

export interface Retransmission {
  readonly entry: Entry;
  atUs: number;
}

/** The exchange of database descriptions. */
export interface Exchange {
  isMaster: boolean;
  sequence: number;
  /** LSAs that are not described yet. */
  summary: readonly Aged<LsaHeader>[];
  lastSent: Description | undefined;
  lastReceived: Pick<Description, "flags" | "options" | "sequence"> | undefined;
  /** Keys of the LSAs that the last request asked for. */
  requested: readonly string[];
}

export const newExchange = (sequence = 0): Exchange => ({
  isMaster: true,
  sequence,
  summary: [],
  lastSent: undefined,
  lastReceived: undefined,
  requested: [],
});

export interface Ospf {
  readonly host: OspfHost;
  config: OspfConfig;
  readonly areas: Map<number, Area>;
  /** By index of the port. */
  readonly interfaces: Map<number, Interface>;
  /** AS-external LSAs, and opaque ones of that scope. */
  readonly external: Database;
  readonly timers: Timers;
  /** The number of the next interface or neighbour. */
  nextSlot: number;
  /** Own LSAs may differ from what the router has to announce. */
  isOriginationDue: boolean;
  /** Some LSA has reached MaxAge, and is to be removed when its neighbours know. */
  hasMaxAged: boolean;
  spf: SpfSchedule;
}

/** FRR's throttle of computations. */
export interface SpfSchedule {
  /** The hold time, in first hold times. */
  holds: number;
  lastUs: number | undefined;
  runs: number;
}

export const newOspf = (host: OspfHost, config: OspfConfig): Ospf => ({
  host,
  config: { ...config, interfaces: [] },
  areas: new Map(),
  interfaces: new Map(),
  external: new Map(),
  timers: new Timers(),
  nextSlot: 1,
  isOriginationDue: false,
  hasMaxAged: false,
  spf: { holds: 1, lastUs: undefined, runs: 0 },
});
