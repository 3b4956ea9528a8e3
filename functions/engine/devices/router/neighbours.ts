/**
 * The neighbours of a router: (port, address) -> MAC, for ARP and for IPv6 neighbour discovery alike.
 *
 * An entry lasts 300 s and is then asked for anew when it is needed. Packets for a neighbour not yet known wait, 16 at
 * most (a new one pushes out the oldest). It is asked three times, a second apart; a second later its packets are given
 * back as unreachable.
 *
 *     t = 0 s: ask      1 s: ask      2 s: ask      3 s: unreachable
 */
import { isGroupMac, writeMac } from "../../wire/mac.ts";
import type { Timer, World } from "../device.ts";
import type { SavedNeighbour } from "./state.ts";

export const NEIGHBOUR_SECONDS = 300;
export const MAX_NEIGHBOURS = 1_024;
export const MAX_WAITING = 16;
const TRIES = 3;
const NEIGHBOUR_US = NEIGHBOUR_SECONDS * 1_000_000;
const RETRY_US = 1_000_000;

/** A whole frame that lacks nothing but its target address. */
export interface WaitingFrame {
  readonly frame: Uint8Array;
  /** Where it came in; undefined when the router made it itself. */
  readonly fromPort: number | undefined;
}

interface Entry {
  /** Undefined while the neighbour is asked for. */
  mac: number | undefined;
  expiresUs: number;
  waiting: WaitingFrame[];
  timer: Timer | undefined;
}

export interface NeighbourEvents<A> {
  transmit(port: number, frame: Uint8Array): void;
  solicit(port: number, address: A): void;
  unreachable(waiting: WaitingFrame): void;
  /** A frame was pushed out, or there was no room to wait in. */
  overflow(): void;
}

export class NeighbourTable<A extends number | bigint> {
  readonly #world: World;
  readonly #events: NeighbourEvents<A>;
  readonly #ports: Map<A, Entry>[];
  #size = 0;

  constructor(ports: number, world: World, events: NeighbourEvents<A>) {
    this.#world = world;
    this.#events = events;
    this.#ports = Array.from({ length: ports }, () => new Map<A, Entry>());
  }

  /** Sends a frame to a neighbour, now or when it has answered. @param frame given away; its target MAC is filled in. */
  send(port: number, address: A, frame: Uint8Array, fromPort: number | undefined): void {
    const entry = this.#ports[port]!.get(address);
    if (entry?.mac !== undefined && this.#world.nowUs < entry.expiresUs) {
      writeMac(frame, 0, entry.mac);
      this.#events.transmit(port, frame);
      return;
    }
    const pending = entry?.timer ? entry : this.#ask(port, address);
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

  /** A neighbour has shown itself: remembered, and what waits for it goes out. */
  learn(port: number, address: A, mac: number): void {
    if (isGroupMac(mac) || mac === 0) return;
    const entry = this.#ports[port]!.get(address) ?? this.#insert(port, address);
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

  /** Learns about a neighbour only if it is in the table, or asked for. */
  update(port: number, address: A, mac: number): void {
    if (this.#ports[port]!.has(address)) this.learn(port, address, mac);
  }

  /** Takes back a frame that waits for a neighbour; nobody is asked for it any more, unless other frames wait, too. */
  withdraw(port: number, address: A, frame: Uint8Array): void {
    const entry = this.#ports[port]!.get(address);
    if (entry?.timer === undefined) return;
    entry.waiting = entry.waiting.filter((each) => each.frame !== frame);
    if (entry.waiting.length > 0) return;
    entry.timer.cancel();
    this.#remove(port, address);
  }

  /** Forgets a neighbour that is known. */
  forget(port: number, address: A): void {
    if (this.#ports[port]!.get(address)?.timer === undefined) this.#remove(port, address);
  }

  find(port: number, address: A): number | undefined {
    const entry = this.#ports[port]!.get(address);
    return entry !== undefined && this.#world.nowUs < entry.expiresUs ? entry.mac : undefined;
  }

  /** Forgets neighbours, and drops what waits for them: of one port, or of all. */
  clear(port?: number): void {
    for (const [index, entries] of this.#ports.entries()) {
      if (port !== undefined && port !== index) continue;
      for (const { timer } of entries.values()) timer?.cancel();
      this.#size -= entries.size;
      entries.clear();
    }
  }

  /** The known ones, by port and then in the order they were learned. */
  list(): SavedNeighbour<A>[] {
    const { nowUs } = this.#world;
    return this.#ports.flatMap((entries, port) =>
      [...entries].flatMap(([address, { mac, expiresUs }]): SavedNeighbour<A>[] =>
        mac !== undefined && nowUs < expiresUs ? [[port, address, mac, expiresUs]] : [],
      ),
    );
  }

  /** Puts back what `list` gave. */
  restore(saved: Iterable<SavedNeighbour<A>>): void {
    for (const [port, address, mac, expiresUs] of saved) {
      const entry = this.#ports[port] && this.#insert(port, address);
      if (entry) Object.assign(entry, { mac, expiresUs });
    }
  }

  #ask(port: number, address: A): Entry | undefined {
    const entry = this.#ports[port]!.get(address) ?? this.#insert(port, address);
    if (entry === undefined) return undefined;
    entry.mac = undefined;
    this.#try(port, address, entry, 1);
    return entry;
  }

  #try(port: number, address: A, entry: Entry, attempt: number): void {
    this.#events.solicit(port, address);
    entry.timer = this.#world.after(RETRY_US, () => {
      if (attempt < TRIES) this.#try(port, address, entry, attempt + 1);
      else this.#giveUp(port, address, entry);
    });
  }

  #giveUp(port: number, address: A, entry: Entry): void {
    this.#remove(port, address);
    for (const waiting of entry.waiting) this.#events.unreachable(waiting);
  }

  /** Undefined when every place in the table is taken by a neighbour that is being asked for. */
  #insert(port: number, address: A): Entry | undefined {
    if (this.#size >= MAX_NEIGHBOURS && !this.#makeRoom()) return undefined;
    const entry: Entry = { mac: undefined, expiresUs: 0, waiting: [], timer: undefined };
    this.#ports[port]!.set(address, entry);
    this.#size += 1;
    return entry;
  }

  /** Forgets the known neighbour that would be forgotten first. */
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
    if (this.#ports[port]!.delete(address)) this.#size -= 1;
  }
}
