/** BFD on a router (RFC 5881, 5883): its sessions, their packets and their one alarm. `routing/bfd` has the protocol. */

import type { Timer } from "../../../../base/world.ts";
import { contains4, contains6, formatAnyAddress, parseAnyAddress } from "../../../../net/address/prefix.ts";
import type { Datagram4, Datagram6 } from "../../../../net/plane/delivery.ts";
import { BfdSession, type SavedSession, type SessionConfig } from "../../../../routing/bfd/session.ts";
import { BFD_MULTIHOP_PORT, BFD_PORT, BFD_SOURCE_PORT, BFD_TTL, decodeBfd } from "../../../../wire/bfd.ts";
import type { WatchedPeer } from "../base/liveness.ts";
import { sendUdp } from "../base/send-udp.ts";
import type { Service, ServiceWorld } from "../base/service.ts";
import { type BfdPeerSpec, type BfdTiming, DEFAULTS, MAX_PEERS } from "./settings.ts";

const MS_US = 1_000;
/** RFC 5880 leaves it open; FRR's packets have the precedence of internetwork control. */
const TYPE_OF_SERVICE = 0xc0;
const WARNING = 4;
const SOURCE_PORTS = 0x1_0000 - BFD_SOURCE_PORT;

/** A session by what makes it another one. */
interface Wanted extends WatchedPeer {
  readonly key: string;
  readonly config: SessionConfig;
  readonly minimumTtl: number;
  /** It is in the configuration; otherwise a protocol wants it. */
  readonly isConfigured: boolean;
}

interface Entry {
  wanted: Wanted;
  readonly session: BfdSession;
}

/** The sessions by `keyOf`, and the next discriminator. */
interface SavedBfd {
  readonly next: number;
  readonly sessions: Readonly<Record<string, SavedSession>>;
}

export interface BfdStatus extends Wanted {
  readonly session: BfdSession;
}

export class Bfd implements Service {
  readonly #world: ServiceWorld;
  readonly #saved: SavedBfd | undefined;
  readonly #entries = new Map<string, Entry>();
  #next: number;
  #alarm: Timer | undefined;
  #alarmUs: number | undefined;
  /** How many neighbours of protocols are not watched, because there are too many. */
  #unwatched = 0;
  /** Sessions of an earlier run wait until all services have said whom they watch. */
  #isRunning = false;

  constructor(world: ServiceWorld, saved?: SavedBfd) {
    this.#world = world;
    this.#saved = saved;
    this.#next = saved?.next ?? 1;
    world.liveness.whenChanged(() => this.#review());
  }

  start(): void {
    this.#isRunning = true;
    this.#review();
  }

  resume(): void {
    this.#restore();
    this.#review();
  }

  changed(): void {
    this.#review();
  }

  stop(): void {
    this.#world.liveness.whenChanged(undefined);
    this.#alarm?.cancel();
    for (const { session } of this.#entries.values()) session.end();
    this.#entries.clear();
  }

  save(): SavedBfd {
    const sessions = [...this.#entries].map(([key, { session }]) => [key, session.save()] as const);
    return { next: this.#next, sessions: Object.fromEntries(sessions) };
  }

  freeze() {
    return { alarm: this.#alarm, alarmUs: this.#alarmUs };
  }

  thaw(held: unknown): void {
    const { alarm, alarmUs } = held as ReturnType<Bfd["freeze"]>;
    this.#restore();
    this.#alarm = alarm;
    this.#alarmUs = alarmUs;
    alarm?.resume?.(() => this.#wake());
  }

  get unwatched(): number {
    return this.#unwatched;
  }

  list(): BfdStatus[] {
    return [...this.#entries.values()].map(({ wanted, session }) => ({ ...wanted, session }));
  }

  receive4({ port, header, udp }: Datagram4): boolean {
    return this.#receive(port.index, header.source, header.ttl, udp);
  }

  receive6({ port, header, udp }: Datagram6): boolean {
    return this.#receive(port.index, header.source, header.hopLimit, udp);
  }

  #receive(
    port: number,
    source: number | bigint,
    ttl: number,
    { targetPort, data }: Datagram4["udp"],
  ): boolean {
    const isOneHop = targetPort === BFD_PORT;
    if (!isOneHop && targetPort !== BFD_MULTIHOP_PORT) return false;
    const packet = decodeBfd(data);
    const entry =
      typeof packet === "string"
        ? undefined
        : [...this.#entries.values()].find(({ wanted, session }) =>
            packet.yours === 0
              ? wanted.address === source && wanted.port === (isOneHop ? port : undefined)
              : session.mine === packet.yours && (wanted.port !== undefined) === isOneHop,
          );
    if (typeof packet === "string") this.#world.core.drop("malformed");
    else if (entry === undefined || ttl < (isOneHop ? BFD_TTL : entry.wanted.minimumTtl))
      this.#world.core.drop("notForUs");
    else {
      entry.session.receive(packet);
      this.#arm();
    }
    return true;
  }

  /** Begins and ends sessions as the configuration and the protocols want. */
  #review(): void {
    if (!this.#isRunning) return;
    const wanted = this.#wanted();
    for (const [key, { session }] of this.#entries) {
      if (wanted.has(key)) continue;
      session.end();
      this.#entries.delete(key);
    }
    for (const each of wanted.values()) {
      const entry = this.#entries.get(each.key);
      if (entry === undefined) this.#add(each).session.start();
      else {
        entry.wanted = each;
        entry.session.configure(each.config);
      }
    }
    this.#arm();
  }

  #restore(): void {
    this.#isRunning = true;
    for (const each of this.#wanted().values()) {
      const saved = this.#saved?.sessions[each.key];
      if (saved !== undefined) this.#add(each, saved);
    }
  }

  #add(wanted: Wanted, saved?: SavedSession): Entry {
    const { core } = this.#world;
    const host = {
      get nowUs() {
        return core.world.nowUs;
      },
      random: (bound: number) => core.world.random.below(bound),
      send: (packet: Uint8Array) => this.#send(entry.wanted, session.mine, packet),
      changed: (from: string, to: string) => {
        core.world.routingChanged?.(`BFD peer ${formatAnyAddress(wanted.address)} from ${from} to ${to}`);
        if (from === "up" && to === "down" && !session.isEndedByNeighbour) this.#lose(entry.wanted);
      },
    };
    const session = new BfdSession(host, wanted.config, saved?.mine ?? this.#next++, saved);
    const entry: Entry = { wanted, session };
    this.#entries.set(wanted.key, entry);
    return entry;
  }

  #lose({ key }: Wanted): void {
    this.#world.liveness.lose((peer) => keyOf(peer) === key);
  }

  #send({ address, port, source }: Wanted, mine: number, data: Uint8Array): void {
    const udp = {
      sourcePort: BFD_SOURCE_PORT + (mine % SOURCE_PORTS),
      targetPort: port === undefined ? BFD_MULTIHOP_PORT : BFD_PORT,
      data,
    };
    const on = port === undefined ? undefined : this.#world.core.tables.ports[port];
    sendUdp(this.#world, address, udp, source, on, {
      ttl: BFD_TTL,
      typeOfService: TYPE_OF_SERVICE,
      timers: "background",
    });
  }

  /** Returns one session for each peer: first the configured peers, then the peers that protocols watch. */
  #wanted(): Map<string, Wanted> {
    const { running, tables } = this.#world.core;
    const { profiles = {}, peers = [] } = running.bfd ?? {};
    const all = new Map<string, Wanted>();
    for (const peer of peers) {
      const address = parseAnyAddress(peer.address)!;
      const port = peer.multihop ? undefined : this.#portOf(peer, address);
      // No port has the subnet at present: there is no way to the neighbour.
      if (!peer.multihop && port === undefined) continue;
      const source = peer.local === undefined ? undefined : parseAnyAddress(peer.local)!;
      const place = { address, ...(port !== undefined && { port }), ...(source !== undefined && { source }) };
      const key = keyOf(place);
      all.set(key, {
        ...place,
        key,
        isConfigured: true,
        ...(peer.profile !== undefined && { profile: peer.profile }),
        ...timingOf(peer, profiles[peer.profile ?? ""]),
      });
    }
    const before = this.#unwatched;
    this.#unwatched = 0;
    for (const peer of this.#world.liveness.peers) {
      const key = keyOf(peer);
      if (all.has(key)) continue;
      if (all.size >= MAX_PEERS) {
        this.#unwatched += 1;
        continue;
      }
      if (peer.port !== undefined && tables.ports[peer.port] === undefined) continue;
      all.set(key, { ...peer, key, isConfigured: false, ...timingOf({}, profiles[peer.profile ?? ""]) });
    }
    if (this.#unwatched > before)
      this.#world.core.onEvent?.({ severity: WARNING, id: "BFD", text: `BFD: ${tooMany(this.#unwatched)}` });
    return all;
  }

  #portOf({ port }: BfdPeerSpec, address: number | bigint): number | undefined {
    return this.#world.core.tables.ports.find(({ name, vrf, ipv4, ipv6 }) => {
      if (port !== undefined) return name === port;
      if (vrf !== undefined) return false;
      return typeof address === "number"
        ? ipv4 !== undefined && contains4(ipv4, address)
        : ipv6 !== undefined && contains6(ipv6, address);
    })?.index;
  }

  /** Sets the alarm at which the next timer of a session is due. */
  #arm(): void {
    const due = [...this.#entries.values()].flatMap(({ session }) => session.nextUs ?? []);
    const nextUs = due.length === 0 ? undefined : Math.min(...due);
    if (nextUs === this.#alarmUs) return;
    this.#alarm?.cancel();
    this.#alarmUs = nextUs;
    if (nextUs === undefined) return;
    const { world } = this.#world.core;
    this.#alarm = world.after(Math.max(0, nextUs - world.nowUs), () => this.#wake(), "background");
  }

  #wake(): void {
    this.#alarmUs = undefined;
    for (const { session } of [...this.#entries.values()]) session.wake();
    this.#arm();
  }
}

export const tooMany = (unwatched: number): string =>
  `${unwatched} ${unwatched === 1 ? "neighbour is" : "neighbours are"} not watched: a router has ${MAX_PEERS} sessions`;

const keyOf = ({ address, port, source }: WatchedPeer): string =>
  [
    formatAnyAddress(address),
    port ?? "",
    port === undefined && source !== undefined ? formatAnyAddress(source) : "",
  ].join(" ");

function timingOf(own: BfdTiming, profile: BfdTiming = {}): Pick<Wanted, "config" | "minimumTtl"> {
  const {
    multiplier,
    receiveMs,
    transmitMs,
    minimumTtl,
    isPassive = false,
    isShut = false,
  } = {
    ...DEFAULTS,
    ...profile,
    ...own,
  };
  const config = { txUs: transmitMs * MS_US, rxUs: receiveMs * MS_US, multiplier, isPassive, isShut };
  return { config, minimumTtl };
}

declare module "../base/service.ts" {
  interface SavedServices {
    readonly bfd?: SavedBfd;
  }
}
