/** What a BGP process knows: neighbours, their connections and routes, and the table. `saved.ts` stores it. */
import type { NextHop } from "../../net/fib/route.ts";
import type { BgpNotification } from "../../wire/bgp.ts";
import { type BgpStream, makeBgpStream } from "../../wire/bgp-stream.ts";
import type { RouteAttributes } from "./attributes.ts";
import type { BgpConfig, NeighbourConfig } from "./config.ts";
import { Interning } from "./interning.ts";
import type { Prefix } from "./prefix.ts";
import { Timers } from "./timers.ts";

/** The way to a next hop. */
export interface Resolved {
  readonly hops: readonly NextHop<number>[];
  readonly metric: number;
  readonly isConnected: boolean;
}

/** A route of the router's table that BGP may announce. */
export interface OwnRoute extends Prefix {
  /** 0 if the subnet is connected. */
  readonly nextHop: number;
  readonly metric: number;
}

/** A route as the router's table takes it. */
export interface Installed extends Prefix {
  readonly distance: number;
  readonly metric: number;
  readonly hops: readonly NextHop<number>[];
}

/** The surroundings of a process. */
export interface BgpHost {
  /** Integer microseconds. */
  readonly nowUs: number;
  /** Opens a connection. @param keepsRunning whether a run lasts while it opens. @returns its number, or why it cannot be opened. */
  connect(neighbour: NeighbourConfig, keepsRunning: boolean): number | string;
  send(connection: number, message: Uint8Array): void;
  /** Closes a connection after what was sent. The process hears no more of it. */
  close(connection: number): void;
  abort(connection: number): void;
  /** The own address of a connection. */
  sourceOf(connection: number): number;
  /** Undefined if there is no way. @param passes whether a route of BGP may be on it; others may. */
  resolve(address: number, passes: (prefix: Prefix) => boolean): Resolved | undefined;
  /** Whether an address is the router's own. */
  isOwn(address: number): boolean;
  /** Whether an address is on a subnet of the interface that has `source`. */
  isOnLink(address: number, source: number): boolean;
  /** The route to exactly this prefix, if it is not of BGP. */
  ownRoute(prefix: Prefix): OwnRoute | undefined;
  /** The routes of a source that forward packets. */
  routesOf(source: string): readonly OwnRoute[];
  install(route: Installed): void;
  remove(prefix: Prefix): void;
  neighbourChanged(change: NeighbourChange): void;
  /** Reports what the user should know. */
  warn(text: string): void;
}

export interface NeighbourChange {
  readonly address: number;
  readonly from: NeighbourState;
  readonly to: NeighbourState;
  readonly why: string;
}

/** RFC 4271, section 8.2.2, in their order. */
export const NEIGHBOUR_STATES = [
  "Idle",
  "Connect",
  "Active",
  "OpenSent",
  "OpenConfirm",
  "Established",
] as const;
export type NeighbourState = (typeof NEIGHBOUR_STATES)[number];

/** A connection to a neighbour: there may be two until one of them is closed (section 6.8). */
export interface Link {
  readonly connection: number;
  readonly isOutgoing: boolean;
  state: "Connect" | "OpenSent" | "OpenConfirm" | "Established";
  readonly stream: BgpStream;
}

export interface Counters {
  sent: number;
  received: number;
  updatesSent: number;
  updatesReceived: number;
  /** How often the session was established, and how often it was lost. */
  established: number;
  dropped: number;
}

export interface Neighbour {
  config: NeighbourConfig;
  /** Without a connection: Idle, or Active while it waits for one. */
  waiting: "Idle" | "Active";
  links: Link[];
  /** Failed attempts since the session was up: later ones do not keep a run going. */
  failures: number;
  /** Seconds until the next attempt after an error; it grows. */
  backoffSeconds: number;
  /** When it became established, or was lost. */
  sinceUs: number | undefined;
  lastReset: string | undefined;
  lastNotification: { readonly isSent: boolean; readonly notification: BgpNotification } | undefined;
  /** Of the established session. */
  keepaliveSeconds: number;
  holdSeconds: number;
  /** Of the neighbour's last OPEN message. */
  remoteAs: number;
  identifier: number;
  hasAs4: boolean;
  takesRefresh: boolean;
  /** When it was last told something. */
  advertisedUs: number | undefined;
  /** The routes that it has announced and that were taken, by `prefixKey`. */
  readonly received: Map<number, RouteAttributes>;
  /** What it was told, by `prefixKey`. */
  readonly sent: Map<number, RouteAttributes>;
  /** Prefixes that it may have to be told of. */
  readonly pending: Set<number>;
  /** Too many prefixes: it stays down until it is cleared. */
  isOverLimit: boolean;
  hasWarnedOfLimit: boolean;
  readonly counters: Counters;
}

/** A route in the table. */
export interface Path {
  /** Undefined for routes of the router itself. */
  readonly neighbour: Neighbour | undefined;
  readonly attributes: RouteAttributes;
  readonly weight: number;
  readonly sinceUs: number;
  /** Later ones have higher numbers. */
  readonly order: number;
}

export interface Entry extends Prefix {
  /** The last one first. */
  readonly paths: Path[];
  best: Path | undefined;
  /** The best path that neighbours were last told of. */
  told: Path | undefined;
  /** The best one, and those that share its packets. */
  multipath: readonly Path[];
  /** Why the best path beats the second one. */
  reason: string | undefined;
  isInstalled: boolean;
}

export interface Bgp {
  readonly host: BgpHost;
  config: BgpConfig;
  /** By address. */
  readonly neighbours: Map<number, Neighbour>;
  readonly table: Map<number, Entry>;
  /** Prefixes whose best path may be another one. */
  readonly changed: Set<number>;
  readonly timers: Timers;
  readonly interning: Interning;
  /** What the next hops of routes were last resolved to. */
  readonly nextHops: Map<number, Resolved | undefined>;
  nextOrder: number;
  /** The table was full. */
  isFull: boolean;
}

export const newBgp = (host: BgpHost, config: BgpConfig): Bgp => ({
  host,
  config,
  neighbours: new Map(),
  table: new Map(),
  changed: new Set(),
  timers: new Timers(),
  interning: new Interning(),
  nextHops: new Map(),
  nextOrder: 0,
  isFull: false,
});

export const FIRST_BACKOFF_SECONDS = 1;

export const newNeighbour = (config: NeighbourConfig): Neighbour => ({
  config,
  waiting: "Idle",
  links: [],
  failures: 0,
  backoffSeconds: FIRST_BACKOFF_SECONDS,
  sinceUs: undefined,
  lastReset: undefined,
  lastNotification: undefined,
  keepaliveSeconds: config.keepaliveSeconds,
  holdSeconds: config.holdSeconds,
  remoteAs: config.remoteAs,
  identifier: 0,
  hasAs4: false,
  takesRefresh: false,
  advertisedUs: undefined,
  received: new Map(),
  sent: new Map(),
  pending: new Set(),
  isOverLimit: false,
  hasWarnedOfLimit: false,
  counters: { sent: 0, received: 0, updatesSent: 0, updatesReceived: 0, established: 0, dropped: 0 },
});

export const newLink = (connection: number, isOutgoing: boolean): Link => ({
  connection,
  isOutgoing,
  state: isOutgoing ? "Connect" : "OpenSent",
  stream: makeBgpStream(),
});

export const rankOf = (state: NeighbourState): number => NEIGHBOUR_STATES.indexOf(state);

/** That of its most advanced connection. */
export function stateOf({ links, waiting }: Neighbour): NeighbourState {
  const [first, ...others] = links;
  if (first === undefined) return waiting;
  let state: NeighbourState = first.state;
  for (const link of others) if (rankOf(link.state) > rankOf(state)) state = link.state;
  return state;
}

/** The connection of the established session. */
export const sessionOf = ({ links }: Neighbour): Link | undefined =>
  links.find(({ state }) => state === "Established");
