/** BGP-4 on a router: its connections, its one alarm, and its routes in the router's table. `routing/bgp` has the protocol. */

import type { Timer } from "../../../../base/world.ts";
import { contains4 } from "../../../../net/address/prefix.ts";
import type { NeighbourConfig } from "../../../../routing/bgp/config.ts";
import { BgpProcess } from "../../../../routing/bgp/process.ts";
import type { SavedBgp } from "../../../../routing/bgp/saved.ts";
import type { BgpHost, Bgp as BgpState, Neighbour, NeighbourChange } from "../../../../routing/bgp/state.ts";
import { formatIpv4 } from "../../../../wire/ipv4-address.ts";
import type { WatchedPeer } from "../base/liveness.ts";
import type { Service, ServiceWorld } from "../base/service.ts";
import type { BgpSpec } from "./shape.ts";
import { toRoutes } from "./table-routes.ts";
import { toBgpConfig } from "./to-config.ts";
import { type FrozenTransport, type SavedTransport, Transport } from "./transport.ts";
import { isOnLink, ownRoute, routesOf, wayTo } from "./ways.ts";

export interface SavedBgpService {
  readonly protocol: SavedBgp;
  readonly transport: SavedTransport;
}

const PROTOCOL = "bgp";
const NOTICE = 5;
const WARNING = 4;

export class Bgp implements Service {
  readonly #world: ServiceWorld;
  readonly #protocol: BgpProcess;
  readonly #transport: Transport;
  readonly #saved: SavedBgpService | undefined;
  #alarm: Timer | undefined;
  /** When the alarm is due, and whether a run lasts until then. */
  #alarmUs: number | undefined;
  #keepsRunning = false;

  constructor(world: ServiceWorld, saved?: SavedBgpService) {
    this.#world = world;
    this.#saved = saved;
    this.#transport = new Transport(
      world,
      {
        accepted: (address, id) => this.#then(this.#protocol.accepted(address, id)),
        opened: (id) => this.#then(this.#protocol.opened(id)),
        received: (id, bytes) => this.#then(this.#protocol.received(id, bytes)),
        closed: (id, why) => this.#then(this.#protocol.closed(id, why)),
        ttlTo: (address) => this.#protocol.state.neighbours.get(address)?.config.ttl,
      },
      saved?.transport,
    );
    world.core.tcp4 = this.#transport;
    this.#protocol = new BgpProcess(this.#host(), this.#config, saved?.protocol);
    if (saved !== undefined) this.#protocol.reinstall();
    this.#watchPeers();
  }

  get #spec(): BgpSpec {
    return this.#world.core.running.bgp!;
  }

  get #config() {
    const { running, tables } = this.#world.core;
    return toBgpConfig(running, this.#spec, tables);
  }

  get state(): BgpState {
    return this.#protocol.state;
  }

  start(): void {
    this.#watch();
    this.changed();
  }

  resume(): void {
    this.#world.core.world.routingChanged?.("BGP continued");
    if (this.#saved !== undefined) this.#transport.resume(this.#saved.transport, this.#isKept);
    this.#watch();
    this.#arm();
  }

  changed(): void {
    this.#world.core.world.routingChanged?.("the configuration of BGP or a carrier changed");
    this.#protocol.configure(this.#config);
    this.#protocol.checkLinks();
    this.#protocol.routesChanged();
    this.#watchPeers();
    this.#arm();
  }

  stop(): void {
    this.#world.liveness.watch(PROTOCOL, [], () => {});
    this.#protocol.stop();
    this.#alarm?.cancel();
    this.#alarm = undefined;
    const { core } = this.#world;
    this.#endWatch();
    core.tcp4 = undefined;
  }

  save(): SavedBgpService {
    return { protocol: this.#protocol.save(), transport: this.#transport.save() };
  }

  freeze() {
    return {
      transport: this.#transport.freeze(),
      alarm: this.#alarm,
      alarmUs: this.#alarmUs,
      keepsRunning: this.#keepsRunning,
    };
  }

  thaw(held: unknown): void {
    const { transport, alarm, alarmUs, keepsRunning } = held as ReturnType<Bgp["freeze"]>;
    this.#transport.thaw(transport as FrozenTransport, this.#isKept);
    this.#alarm = alarm;
    this.#alarmUs = alarmUs;
    this.#keepsRunning = keepsRunning;
    alarm?.resume?.(() => this.#wake());
    this.#watch();
  }

  /** `clear ip bgp`. */
  clear(neighbours: readonly Neighbour[]): void {
    this.#protocol.clear(neighbours);
    this.#arm();
  }

  clearSoft(neighbours: readonly Neighbour[], direction: "in" | "out" | "both"): void {
    this.#protocol.clearSoft(neighbours, direction);
    this.#arm();
  }

  readonly #isKept = (id: number): boolean =>
    [...this.state.neighbours.values()].some(({ links }) =>
      links.some(({ connection }) => connection === id),
    );

  #endWatch = (): void => {};

  /** Hears of routes of other protocols; those that wait to be installed are none of them. */
  #watch(): void {
    const { routes4 } = this.#world.core.tables;
    routes4.settle();
    this.#endWatch();
    this.#endWatch = routes4.watch((source) => {
      if (source === "bgp") return;
      this.#protocol.routesChanged();
      this.#watchPeers();
      this.#arm();
    });
  }

  /** Has the neighbours watched for which BFD is configured. A neighbour on a connected subnet is one of one hop. */
  #watchPeers(): void {
    const peers: WatchedPeer[] = [];
    for (const { config } of this.state.neighbours.values()) {
      const { address } = config;
      const { bfd, bfdProfile } = this.#spec.neighbors[formatIpv4(address)] ?? {};
      if (config.isShutDown || (bfd !== true && bfdProfile === undefined)) continue;
      const place = this.#placeOf(config);
      if (place === undefined) continue;
      peers.push({ address, ...place, ...(bfdProfile !== undefined && { profile: bfdProfile }) });
    }
    this.#world.liveness.watch(PROTOCOL, peers, (peer) => {
      this.#protocol.lose(peer.address as number);
      this.#arm();
    });
  }

  /** @returns undefined if there is no way to the neighbour at present. */
  #placeOf(config: NeighbourConfig): Pick<WatchedPeer, "port" | "source"> | undefined {
    const { ports } = this.#world.core.tables;
    const on = ports.find(
      ({ vrf, ipv4 }) => vrf === undefined && ipv4 !== undefined && contains4(ipv4, config.address),
    );
    if (on !== undefined) return { port: on.index };
    const source = this.#sourceFor(config);
    return typeof source === "number" ? { source } : undefined;
  }

  #host(): BgpHost {
    const { core } = this.#world;
    const transport = this.#transport;
    const changed = (): void => core.world.routingChanged?.("its BGP routes changed");
    return {
      get nowUs() {
        return core.world.nowUs;
      },
      connect: (neighbour, keepsRunning) => {
        const local = this.#sourceFor(neighbour);
        if (typeof local === "string") return local;
        return transport.connect(local, neighbour.address, !keepsRunning);
      },
      send: (id, message) => transport.send(id, message),
      close: (id) => transport.close(id),
      abort: (id) => transport.abort(id),
      sourceOf: (id) => (transport.endsOf(id)?.local ?? 0) as number,
      resolve: (address, passes) => wayTo(core.tables, address, passes),
      isOwn: (address) => core.tables.own4.has(address),
      isOnLink: (address, source) => isOnLink(core.tables, address, source),
      ownRoute: (prefix) => ownRoute(core.tables, prefix),
      routesOf: (source) => routesOf(core.tables, source),
      install: (route) => {
        core.tables.routes4.set(route.network, route.length, "bgp", toRoutes(route));
        changed();
      },
      remove: ({ network, length }) => {
        core.tables.routes4.set(network, length, "bgp", []);
        changed();
      },
      neighbourChanged: (change) => this.#report(change),
      warn: (text) => core.onEvent?.({ severity: WARNING, id: "BGP", text: `BGP: ${text}` }),
    };
  }

  #sourceFor({ source, address }: NeighbourConfig): number | string {
    const { core, ipv4 } = this.#world;
    if (typeof source === "number")
      return core.tables.own4.has(source) ? source : "the own address of the session is on no port";
    if (source !== undefined)
      return core.tables.ports[source.port]?.ipv4?.address ?? "the port of the session has no address";
    return ipv4.sourceFor(address) ?? "no route";
  }

  #report({ address, from, to, why }: NeighbourChange): void {
    const { core } = this.#world;
    core.world.routingChanged?.(`BGP neighbour ${formatIpv4(address)} from ${from} to ${to} (${why})`);
    if (from !== "Established" && to !== "Established") return;
    const text = `BGP neighbor ${formatIpv4(address)} is ${to === "Established" ? "up" : `down: ${why}`}`;
    core.onEvent?.({ severity: NOTICE, id: "BGP_ADJCHANGE", text });
  }

  #then<T>(result: T): T {
    this.#arm();
    return result;
  }

  /** Sets the alarm at which the next timer of the process is due. */
  #arm(): void {
    const { nextUs, keepsRunning } = this.#protocol;
    if (nextUs === this.#alarmUs && keepsRunning === this.#keepsRunning) return;
    this.#alarm?.cancel();
    this.#alarmUs = nextUs;
    this.#keepsRunning = keepsRunning;
    if (nextUs === undefined) return;
    const { world } = this.#world.core;
    const delayUs = Math.max(0, nextUs - world.nowUs);
    this.#alarm = world.after(delayUs, () => this.#wake(), keepsRunning ? "foreground" : "background");
  }

  #wake(): void {
    this.#alarmUs = undefined;
    this.#protocol.wake();
    this.#arm();
  }
}

declare module "../base/service.ts" {
  interface SavedServices {
    readonly bgp?: SavedBgpService;
  }
}
