/**
 * All connections of a host: which segment belongs to which, listening ports, and resets for segments without a connection
 * (RFC 9293, section 3.10.7.1). An address is a number for IPv4, a bigint for IPv6.
 */

import type { World } from "../../base/world.ts";
import { TCP_ACK, TCP_RST, TCP_SYN, type Tcp } from "../../wire/tcp.ts";
import { formatAnyAddress, parseAnyAddress } from "../address/prefix.ts";
import { resetFor } from "../packet/tcp-reset.ts";
import { type Alarms, Connection } from "./connection.ts";
import { readTcb } from "./old-state.ts";
import { decodeOptions, encodeOptions } from "./options.ts";
import type { TcpSettings } from "./settings.ts";
import type { Segment, Tcb, TcpEvent } from "./tcb.ts";

export type Address = number | bigint;

export interface Ends {
  readonly local: Address;
  readonly localPort: number;
  readonly remote: Address;
  readonly remotePort: number;
}

/** A connection with the application's own data, which are plain JSON. */
export interface Live<A> {
  readonly ends: Ends;
  readonly connection: Connection;
  readonly app: A;
}

export interface SavedConnection<A> {
  readonly local: string;
  readonly localPort: number;
  readonly remote: string;
  readonly remotePort: number;
  readonly tcb: Tcb;
  readonly app: A;
}

/** A connection in the middle of a run. */
export interface FrozenConnection<A> {
  readonly ends: Ends;
  readonly app: A;
  readonly tcb: Tcb;
  readonly alarms: Alarms;
}

export interface TcpHostEvents<A> {
  /** Sends a segment. @param codepoint of ECN, in the IP header. */
  transmit(ends: Ends, tcp: Tcp, codepoint?: number): void;
  /** The application for a new connection to a port; undefined if none listens there. */
  accept(port: number): A | undefined;
  report(live: Live<A>, event: TcpEvent): void;
  /** The largest segment of the link to an address, without options. */
  mssBytes(remote: Address): number;
  /** Whether no run lasts for the timers of a connection that are set now; absent: for all of them. */
  isInBackground?(app: A): boolean;
}

export const MAX_CONNECTIONS = 1_024;
/** RFC 6335, section 6. */
const FIRST_DYNAMIC_PORT = 49_152;
const DYNAMIC_PORTS = 16_384;
const TWO_32 = 0x1_0000_0000;

export class TcpHost<A> {
  readonly #world: World;
  readonly #settings: TcpSettings;
  readonly #events: TcpHostEvents<A>;
  readonly #lives = new Map<string, Live<A>>();
  #nextPort: number;

  constructor(world: World, settings: TcpSettings, events: TcpHostEvents<A>, nextPort = FIRST_DYNAMIC_PORT) {
    this.#world = world;
    this.#settings = settings;
    this.#events = events;
    this.#nextPort = nextPort;
  }

  get nextPort(): number {
    return this.#nextPort;
  }

  get lives(): IterableIterator<Live<A>> {
    return this.#lives.values();
  }

  /** @param codepoint of ECN, from the IP header. */
  receive(local: Address, remote: Address, tcp: Tcp, codepoint: number): void {
    const ends = { local, localPort: tcp.targetPort, remote, remotePort: tcp.sourcePort };
    const key = keyOf(ends);
    const segment = segmentOf(tcp, codepoint);
    const live = this.#lives.get(key);
    if (live !== undefined && !isReopened(live, segment)) live.connection.arrive(segment);
    else if (!this.#accept(ends, segment)) this.#reset(ends, tcp);
  }

  /** Opens a connection. @returns it, or why it cannot be opened. */
  connect(
    local: Address,
    remote: Address,
    remotePort: number,
    app: A,
    congestion = this.#settings.congestion,
  ): Live<A> | string {
    if (this.#lives.size >= MAX_CONNECTIONS) return `all ${MAX_CONNECTIONS} connections are in use`;
    const ends = { local, localPort: this.#freePort(local, remote, remotePort), remote, remotePort };
    const settings = { ...this.#settings, congestion };
    return this.#keep(ends, app, (world, events) =>
      Connection.open(world, events, this.#opening(remote, settings)),
    );
  }

  has(ends: Ends): boolean {
    return this.#lives.has(keyOf(ends));
  }

  /** A router, or the own link, takes packets to an address only if they are smaller. */
  shrinkSegments(remote: Address, mssBytes: number): void {
    for (const { ends, connection } of this.#lives.values())
      if (ends.remote === remote) connection.shrinkSegments(mssBytes);
  }

  save(): SavedConnection<A>[] {
    return structuredClone([...this.#lives.values()].map(saveConnection));
  }

  /** The connections with their timers. */
  freeze(): readonly FrozenConnection<A>[] {
    return [...this.#lives.values()].map(({ ends, app, connection }) => ({
      ends,
      app,
      tcb: connection.tcb,
      alarms: connection.freeze(),
    }));
  }

  thaw(frozen: readonly FrozenConnection<A>[]): void {
    for (const { ends, app, tcb, alarms } of frozen)
      this.#keep(ends, app, (world, events) => Connection.thaw(world, events, tcb, alarms));
  }

  restore(saved: readonly SavedConnection<A>[]): void {
    for (const { local, localPort, remote, remotePort, tcb, app } of saved) {
      const ends = {
        local: parseAnyAddress(local)!,
        localPort,
        remote: parseAnyAddress(remote)!,
        remotePort,
      };
      this.#keep(ends, structuredClone(app), (world, events) =>
        Connection.resume(world, events, readTcb(structuredClone(tcb))),
      );
    }
  }

  /** @returns false if no application listens, or the segment opens no connection. */
  #accept(ends: Ends, segment: Segment): boolean {
    if ((segment.flags & (TCP_SYN | TCP_ACK | TCP_RST)) !== TCP_SYN) return false;
    if (this.#lives.size >= MAX_CONNECTIONS && !this.#lives.has(keyOf(ends))) return false;
    const app = this.#events.accept(ends.localPort);
    if (app === undefined) return false;
    this.#keep(ends, app, (world, events) =>
      Connection.accept(world, events, this.#opening(ends.remote, this.#settings), segment),
    );
    return true;
  }

  #keep(
    ends: Ends,
    app: A,
    make: (
      world: World,
      events: { transmit(segment: Segment): void; report(event: TcpEvent): void },
    ) => Connection,
  ): Live<A> {
    const key = keyOf(ends);
    const { isInBackground } = this.#events;
    const world = isInBackground ? withKinds(this.#world, () => isInBackground(app)) : this.#world;
    const events = {
      transmit: (segment: Segment) => this.#events.transmit(ends, wireOf(ends, segment), segment.codepoint),
      report: (event: TcpEvent) => {
        if (event.kind !== "gone") this.#events.report(live, event);
        else if (this.#lives.get(key) === live) this.#lives.delete(key);
      },
    };
    const live: Live<A> = { ends, app, connection: make(world, events) };
    this.#lives.set(key, live);
    return live;
  }

  #opening(remote: Address, settings: TcpSettings) {
    return {
      settings,
      initial: this.#world.random.below(TWO_32 - 1),
      mssBytes: this.#events.mssBytes(remote),
      nowUs: this.#world.nowUs,
    };
  }

  #reset(ends: Ends, tcp: Tcp): void {
    const reset = resetFor(tcp);
    if (reset !== undefined) this.#events.transmit(ends, reset);
  }

  #freePort(local: Address, remote: Address, remotePort: number): number {
    for (;;) {
      const localPort = this.#nextPort;
      this.#nextPort = FIRST_DYNAMIC_PORT + ((localPort + 1 - FIRST_DYNAMIC_PORT) % DYNAMIC_PORTS);
      if (!this.#lives.has(keyOf({ local, localPort, remote, remotePort }))) return localPort;
    }
  }
}

/** The state of a connection, which its further changes alter. */
export const saveConnection = <A>({ ends, connection, app }: Live<A>): SavedConnection<A> => ({
  local: formatAnyAddress(ends.local),
  localPort: ends.localPort,
  remote: formatAnyAddress(ends.remote),
  remotePort: ends.remotePort,
  tcb: connection.tcb,
  app,
});

/** The world with timers in the background while something is so. */
const withKinds = (world: World, isInBackground: () => boolean): World => ({
  get nowUs() {
    return world.nowUs;
  },
  random: world.random,
  frames: world.frames,
  send: (port, frame) => world.send(port, frame),
  after: (delayUs, call, kind) => world.after(delayUs, call, isInBackground() ? "background" : kind),
  print: (text) => world.print(text),
});

const keyOf = ({ local, localPort, remote, remotePort }: Ends): string =>
  `${local} ${localPort} ${remote} ${remotePort}`;

/** Whether a SYN opens the connection anew that waits in TIME-WAIT: by its timestamp, else by its number (RFC 6191, section 2). */
function isReopened({ connection: { tcb } }: Live<unknown>, { flags, sequence, options }: Segment): boolean {
  if (tcb.state !== "TIME-WAIT") return tcb.state === "CLOSED";
  if ((flags & (TCP_SYN | TCP_ACK | TCP_RST)) !== TCP_SYN) return false;
  const isLaterNumber = ((sequence - tcb.receiveNext) | 0) > 0;
  if (!tcb.usesTimestamps || options.timestamps === undefined) return isLaterNumber;
  const laterBy = (options.timestamps.value - tcb.recentTimestamp) | 0;
  return laterBy > 0 || (laterBy === 0 && isLaterNumber);
}

const segmentOf = (
  { sequence, acknowledgement, flags, window, options, data }: Tcp,
  codepoint: number,
): Segment => ({
  sequence,
  acknowledgement,
  flags,
  window,
  options: decodeOptions(options),
  data,
  codepoint,
});

const wireOf = ({ localPort, remotePort }: Ends, { codepoint, ...segment }: Segment): Tcp => ({
  ...segment,
  sourcePort: localPort,
  targetPort: remotePort,
  options: encodeOptions(segment.options),
});
