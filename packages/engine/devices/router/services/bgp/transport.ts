/** The TCP connections of BGP: to and from port 179 of IPv4 addresses. Each has a number, by which the protocol knows it. */

import { readU16, readU32 } from "../../../../base/bytes.ts";
import { OWN_TTL } from "../../../../net/plane/core.ts";
import type { TcpService4 } from "../../../../net/plane/host-services.ts";
import { CODEPOINT_MASK } from "../../../../net/tcp/ecn.ts";
import { bytesOf, textOf } from "../../../../net/tcp/receive-queue.ts";
import { DEFAULT_TCP } from "../../../../net/tcp/settings.ts";
import type { TcpEvent } from "../../../../net/tcp/tcb.ts";
import {
  type Ends,
  type FrozenConnection,
  type Live,
  type SavedConnection,
  TcpHost,
} from "../../../../net/tcp/tcp-host.ts";
import { BGP_PORT } from "../../../../wire/bgp.ts";
import { IPV4_HEADER_BYTES, type Ipv4Header, PROTOCOL_TCP } from "../../../../wire/ipv4.ts";
import { encodeTcp4, TCP_HEADER_BYTES, type Tcp } from "../../../../wire/tcp.ts";
import type { ServiceWorld } from "../base/service.ts";

/** The precedence of internetwork control, as FRR sends. */
const TYPE_OF_SERVICE = 0xc0;
/** As Linux (`min_pmtu`): smaller reports are forged. */
const MIN_PATH_MTU = 552;
const DEFAULT_MTU = 1_500;

interface App {
  readonly id: number;
  /** No run lasts for it: attempts after failed ones, and what the protocol has closed. */
  isInBackground: boolean;
}

export interface SavedTransport {
  readonly connections: readonly SavedConnection<App>[];
  readonly nextPort: number;
  readonly nextId: number;
}

export interface FrozenTransport {
  readonly connections: readonly FrozenConnection<App>[];
}

export interface TransportEvents {
  /** @returns whether the connection is taken. */
  accepted(address: number, id: number): boolean;
  opened(id: number): void;
  received(id: number, bytes: Uint8Array): void;
  closed(id: number, why: string): void;
  /** The hop limit of packets to an address; undefined if it is no neighbour's. */
  ttlTo(address: number): number | undefined;
}

const REASONS: Readonly<Record<string, string>> = {
  refused: "connection refused",
  reset: "connection reset",
};

export class Transport implements TcpService4 {
  readonly #world: ServiceWorld;
  readonly #events: TransportEvents;
  readonly #tcp: TcpHost<App>;
  readonly #lives = new Map<number, Live<App>>();
  #nextId: number;

  constructor(world: ServiceWorld, events: TransportEvents, saved?: SavedTransport) {
    this.#world = world;
    this.#events = events;
    this.#nextId = saved?.nextId ?? 1;
    this.#tcp = new TcpHost<App>(
      world.core.world,
      DEFAULT_TCP,
      {
        transmit: (ends, tcp, codepoint) => this.#transmit(ends, tcp, codepoint),
        // A neighbour to which there is no way back connects again and again.
        accept: (port) => (port === BGP_PORT ? { id: this.#nextId++, isInBackground: true } : undefined),
        report: (live, event) => this.#report(live, event),
        mssBytes: (remote) => this.#mtuTo(remote as number) - IPV4_HEADER_BYTES - TCP_HEADER_BYTES,
        isInBackground: ({ isInBackground }) => isInBackground,
      },
      saved?.nextPort,
    );
  }

  /** @returns the number of the connection, or why it cannot be opened. */
  connect(local: number, remote: number, isInBackground: boolean): number | string {
    const app = { id: this.#nextId, isInBackground };
    const live = this.#tcp.connect(local, remote, BGP_PORT, app);
    if (typeof live === "string") return live;
    this.#nextId += 1;
    this.#lives.set(app.id, live);
    return app.id;
  }

  send(id: number, message: Uint8Array): void {
    this.#lives.get(id)?.connection.send({ text: textOf(message) });
  }

  close(id: number): void {
    const live = this.#lives.get(id);
    if (live === undefined) return;
    this.#lives.delete(id);
    live.app.isInBackground = true;
    live.connection.close();
  }

  abort(id: number): void {
    const live = this.#lives.get(id);
    this.#lives.delete(id);
    live?.connection.abort();
  }

  /** The two addresses and ports of a connection. */
  endsOf(id: number): Ends | undefined {
    return this.#lives.get(id)?.ends;
  }

  takeTcp({ source, target, typeOfService }: Ipv4Header, tcp: Tcp): void {
    this.#tcp.receive(target, source, tcp, typeOfService & CODEPOINT_MASK);
  }

  takeTooBig(packet: Uint8Array, mtuBytes: number): void {
    const at = ((packet[0] as number) & 15) * 4;
    if (packet.length < Math.max(at, IPV4_HEADER_BYTES) + 4 || packet[9] !== PROTOCOL_TCP) return;
    const ends = {
      local: readU32(packet, 12),
      remote: readU32(packet, 16),
      localPort: readU16(packet, at),
      remotePort: readU16(packet, at + 2),
    };
    if (!this.#tcp.has(ends)) return;
    const bytes = Math.max(MIN_PATH_MTU, mtuBytes);
    this.#tcp.shrinkSegments(ends.remote, bytes - IPV4_HEADER_BYTES - TCP_HEADER_BYTES);
  }

  save(): SavedTransport {
    return { connections: this.#tcp.save(), nextPort: this.#tcp.nextPort, nextId: this.#nextId };
  }

  /** Continues connections of an earlier run. */
  resume({ connections }: SavedTransport, isKept: (id: number) => boolean): void {
    this.#tcp.restore(connections);
    this.#index(isKept);
  }

  freeze(): FrozenTransport {
    return { connections: this.#tcp.freeze() };
  }

  thaw({ connections }: FrozenTransport, isKept: (id: number) => boolean): void {
    this.#tcp.thaw(connections);
    this.#index(isKept);
  }

  /** @param isKept whether the protocol knows a connection: others are being closed. */
  #index(isKept: (id: number) => boolean): void {
    for (const live of this.#tcp.lives) if (isKept(live.app.id)) this.#lives.set(live.app.id, live);
  }

  #report(live: Live<App>, event: TcpEvent): void {
    const { id } = live.app;
    const isOutgoing = live.ends.remotePort === BGP_PORT;
    if (event.kind === "connected") live.app.isInBackground = false;
    if (event.kind === "connected" && !isOutgoing) this.#accept(live);
    if (!this.#lives.has(id)) {
      // The protocol has closed it; the other end may do so, too.
      if (event.kind === "end") live.connection.close();
      return;
    }
    if (event.kind === "connected" && isOutgoing) this.#events.opened(id);
    else if (event.kind === "data" && typeof event.bytes === "string")
      this.#events.received(id, bytesOf(event.bytes));
    else if (event.kind === "end") this.#end(id, "Peer closed the session");
    else if (event.kind === "closed") {
      const { reason = "closed" } = event;
      this.#lives.delete(id);
      this.#events.closed(id, REASONS[reason] ?? reason);
    }
  }

  #accept(live: Live<App>): void {
    const { id } = live.app;
    this.#lives.set(id, live);
    if (this.#events.accepted(live.ends.remote as number, id)) return;
    this.close(id);
  }

  #end(id: number, why: string): void {
    this.#events.closed(id, why);
    this.close(id);
  }

  #transmit({ local, remote }: Ends, tcp: Tcp, codepoint = 0): void {
    const [source, target] = [local as number, remote as number];
    this.#world.ipv4.originate(
      {
        source,
        target,
        protocol: PROTOCOL_TCP,
        dontFragment: true,
        typeOfService: TYPE_OF_SERVICE | codepoint,
        ttl: this.#events.ttlTo(target) ?? OWN_TTL,
      },
      encodeTcp4(source, target, tcp),
    );
  }

  #mtuTo(address: number): number {
    const { routes4, ports } = this.#world.core.tables;
    return ports[routes4.find(address)?.port ?? -1]?.mtuBytes ?? DEFAULT_MTU;
  }
}
