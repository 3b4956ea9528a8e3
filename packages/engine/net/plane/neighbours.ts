/**
 * The neighbours of a router: (port, address) -> MAC, for ARP and for IPv6 neighbour discovery alike.
 *
 * An entry lasts 300 s; the next packet after that resolves it again. Packets for an unresolved neighbour wait, at most 16
 * (a further one replaces the oldest). The router sends three requests, a second apart; a second later it returns the packets
 * as unreachable.
 *
 *     t = 0 s: request  1 s: request  2 s: request  3 s: unreachable
 */

import type { Timer, TimerKind, World } from "../../base/world.ts";
import { isGroupMac, writeMac } from "../../wire/mac.ts";

export const NEIGHBOUR_SECONDS = 300;
export const MAX_NEIGHBOURS = 1_024;
export const MAX_WAITING = 16;
const TRIES = 3;
const NEIGHBOUR_US = NEIGHBOUR_SECONDS * 1_000_000;
const RETRY_US = 1_000_000;

export type SavedNeighbour<A> = readonly [port: number, address: A, mac: number, expiresUs: number];

/** A whole frame except for its target MAC. */
export interface WaitingFrame {
  readonly frame: Uint8Array;
  /** The port that received it; undefined if it is the router's own. */
  readonly fromPort: number | undefined;
}

export interface Entry {
  /** Undefined while the neighbour is being resolved. */
  mac: number | undefined;
  expiresUs: number;
  waiting: WaitingFrame[];
  timer: Timer | undefined;
  /** Of the resolution: requests so far, and the kind of its timers. */
  attempt: number;
  timers: TimerKind;
}

export interface NeighbourEvents<A> {
  transmit(port: number, frame: Uint8Array): void;
  solicit(port: number, address: A): void;
  unreachable(waiting: WaitingFrame): void;
  /** A frame was replaced in the queue, or there was no room in the table. */
  overflow(): void;
  /** Whether an interface has one neighbour, without a MAC address. */
  isPointToPoint(port: number): boolean;
}

export class NeighbourTable<A extends number | bigint> {
  readonly #world: World;
  readonly #events: NeighbourEvents<A>;
  /** By index; an interface without an entry has none yet. */
  readonly #ports: Map<A, Entry>[];
  #size = 0;

  constructor(ports: number, world: World, events: NeighbourEvents<A>) {
    this.#world = world;
    this.#events = events;
    this.#ports = Array.from({ length: ports }, () => new Map<A, Entry>());
  }

  /** Sends a frame to a neighbour, at once or when it is resolved. @param frame ownership passes to the callee, which fills in its target MAC. @param timers of the resolution. */
  send(
    port: number,
    address: A,
    frame: Uint8Array,
    fromPort: number | undefined,
    timers: TimerKind = "foreground",
  ): void {
    const entry = this.#ports[port]?.get(address);
    if (entry === undefined && this.#events.isPointToPoint(port)) {
      this.#events.transmit(port, frame);
      return;
    }
    if (entry?.mac !== undefined && this.#world.nowUs < entry.expiresUs) {
      writeMac(frame, 0, entry.mac);
      this.#events.transmit(port, frame);
      return;
    }
    const pending = entry?.timer ? entry : this.#ask(port, address, timers);
    if (pending === undefined) {
      this.#events.overflow();
      return;
    }
    if (pending.waiting.length >= MAX_WAITING) {
      pending.waiting.shift();
      this.#events.overflow();
    }
    pending.waiting.push({ frame, fromPort });
  }

  /** Stores a neighbour's MAC and sends the waiting frames. */
  learn(port: number, address: A, mac: number): void {
    if (isGroupMac(mac) || mac === 0) return;
    const entry = this.#ports[port]?.get(address) ?? this.#insert(port, address);
    if (entry === undefined) return;
    entry.mac = mac;
    entry.expiresUs = this.#world.nowUs + NEIGHBOUR_US;
    entry.timer?.cancel();
    entry.timer = undefined;
    for (const { frame } of entry.waiting.splice(0)) {
      writeMac(frame, 0, mac);
      this.#events.transmit(port, frame);
    }
  }

  /** Updates a neighbour only if it is in the table, resolved or not. */
  update(port: number, address: A, mac: number): void {
    if (this.#ports[port]?.has(address)) this.learn(port, address, mac);
  }

  /** Removes a waiting frame from the queue. Ends the resolution if no other frame waits. */
  withdraw(port: number, address: A, frame: Uint8Array): void {
    const entry = this.#ports[port]?.get(address);
    if (entry?.timer === undefined) return;
    entry.waiting = entry.waiting.filter((each) => each.frame !== frame);
    if (entry.waiting.length > 0) return;
    entry.timer.cancel();
    this.#remove(port, address);
  }

  /** Removes a resolved neighbour. */
  forget(port: number, address: A): void {
    if (this.#ports[port]?.get(address)?.timer === undefined) this.#remove(port, address);
  }

  find(port: number, address: A): number | undefined {
    const entry = this.#ports[port]?.get(address);
    return entry !== undefined && this.#world.nowUs < entry.expiresUs ? entry.mac : undefined;
  }

  /** Removes the neighbours of one port or of all ports, and drops the waiting frames. */
  clear(port?: number): void {
    for (const [index, entries] of this.#ports.entries()) {
      if (port !== undefined && port !== index) continue;
      for (const { timer } of entries.values()) timer?.cancel();
      this.#size -= entries.size;
      entries.clear();
    }
  }

  /** The resolved neighbours, by port and then in the order in which they were learned. */
  list(): SavedNeighbour<A>[] {
    const { nowUs } = this.#world;
    return this.#ports.flatMap((entries, port) =>
      [...entries].flatMap(([address, { mac, expiresUs }]): SavedNeighbour<A>[] =>
        mac !== undefined && nowUs < expiresUs ? [[port, address, mac, expiresUs]] : [],
      ),
    );
  }

  /** Restores the entries that `list` returned. */
  restore(saved: Iterable<SavedNeighbour<A>>): void {
    for (const [port, address, mac, expiresUs] of saved) {
      const entry = this.#ports[port] && this.#insert(port, address);
      if (entry) Object.assign(entry, { mac, expiresUs });
    }
  }

  #ask(port: number, address: A, timers: TimerKind): Entry | undefined {
    const entry = this.#ports[port]?.get(address) ?? this.#insert(port, address);
    if (entry === undefined) return undefined;
    entry.mac = undefined;
    entry.attempt = 0;
    entry.timers = timers;
    this.#try(port, address, entry);
    return entry;
  }

  #try(port: number, address: A, entry: Entry): void {
    entry.attempt += 1;
    this.#events.solicit(port, address);
    entry.timer = this.#world.after(RETRY_US, () => this.#next(port, address, entry), entry.timers);
  }

  #next(port: number, address: A, entry: Entry): void {
    if (entry.attempt < TRIES) this.#try(port, address, entry);
    else this.#giveUp(port, address, entry);
  }

  /** The entries of each port, with those that are being resolved. */
  freeze(): readonly ReadonlyMap<A, Entry>[] {
    return this.#ports;
  }

  thaw(ports: readonly ReadonlyMap<A, Entry>[]): void {
    this.clear();
    for (const [port, entries] of ports.entries()) {
      this.#ports[port] = new Map(entries);
      this.#size += entries.size;
      for (const [address, entry] of entries) entry.timer?.resume?.(() => this.#next(port, address, entry));
    }
  }

  #giveUp(port: number, address: A, entry: Entry): void {
    this.#remove(port, address);
    for (const waiting of entry.waiting) this.#events.unreachable(waiting);
  }

  /** Undefined if all entries of the table are being resolved. */
  #insert(port: number, address: A): Entry | undefined {
    if (this.#size >= MAX_NEIGHBOURS && !this.#makeRoom()) return undefined;
    const entry: Entry = {
      mac: undefined,
      expiresUs: 0,
      waiting: [],
      timer: undefined,
      attempt: 0,
      timers: "foreground",
    };
    this.#ports[port] ??= new Map();
    this.#ports[port].set(address, entry);
    this.#size += 1;
    return entry;
  }

  /** Removes the resolved neighbour that would expire first. */
  #makeRoom(): boolean {
    let oldest: { port: number; address: A; expiresUs: number } | undefined;
    for (const [port, entries] of this.#ports.entries()) {
      for (const [address, { timer, expiresUs }] of entries) {
        if (timer === undefined && expiresUs < (oldest?.expiresUs ?? Number.POSITIVE_INFINITY))
          oldest = { port, address, expiresUs };
      }
    }
    if (oldest !== undefined) this.#remove(oldest.port, oldest.address);
    return oldest !== undefined;
  }

  #remove(port: number, address: A): void {
    if (this.#ports[port]?.delete(address)) this.#size -= 1;
  }
}
