/** OSPF version 2 on a router: its packets, its one alarm, and its routes in the router's table. `routing/ospf` has the protocol. */

import type { Timer } from "../../../../base/world.ts";
import { interfacesOf } from "../../../../net/plane/config.ts";
import type { Packet4 } from "../../../../net/plane/delivery.ts";
import type { Content } from "../../../../routing/ospf/content.ts";
import { OspfProcess } from "../../../../routing/ospf/process.ts";
import type { PrefixRoute } from "../../../../routing/ospf/routing-table.ts";
import type { SavedOspf } from "../../../../routing/ospf/saved.ts";
import { isAtLeast, type NeighbourChange, type Ospf as OspfState } from "../../../../routing/ospf/state.ts";
import { ETHERTYPE_IPV4, encodeEthernet } from "../../../../wire/ethernet.ts";
import { encodeIpv4, IPV4_HEADER_BYTES } from "../../../../wire/ipv4.ts";
import { formatIpv4, isMulticastIpv4 } from "../../../../wire/ipv4-address.ts";
import { ipv4MulticastMac } from "../../../../wire/mac.ts";
import { ALL_D_ROUTERS, ALL_SPF_ROUTERS, PROTOCOL_OSPF } from "../../../../wire/ospf.ts";
import type { WatchedPeer } from "../base/liveness.ts";
import type { Service, ServiceWorld } from "../base/service.ts";
import { allExternals, dependsOnRoutes } from "./externals.ts";
import type { OspfSpec } from "./settings.ts";
import { type Distances, routesOf } from "./table-routes.ts";
import { toOspfConfig } from "./to-config.ts";
import { NEIGHBOUR_WORDS as STATES } from "./words.ts";

/** RFC 2328, appendix A.1: the precedence of internetwork control, and a packet that no router forwards. */
const TYPE_OF_SERVICE = 0xc0;
const TTL = 1;
const PROTOCOL = "ospf";

/**
 * What is in the packets that are on their way, by the buffer of their frame: a receiver of the same bytes need not decode them. Frames are never
 * changed after they were sent, and each has a buffer of its own.
 */
const sent = new WeakMap<ArrayBufferLike, Content>();

export class Ospf implements Service {
  readonly #world: ServiceWorld;
  readonly #protocol: OspfProcess;
  #alarm: Timer | undefined;
  /** When the alarm is due, and whether a run lasts until then. */
  #alarmUs: number | undefined;
  #keepsRunning = false;
  /** The routes in the router's table, by `prefixKey`. */
  #installed = new Map<number, PrefixRoute>();
  #isInstalling = false;
  /** The neighbours that BFD is to watch may be others than it knows of. */
  #hasOtherNeighbours = false;
  #isStopped = false;
  /** Routes of others may have changed. */
  #isRedistributing = false;
  readonly #endWatch: () => void;
  /** The distances of the routes in the router's table. */
  #distances = "";

  constructor(world: ServiceWorld, saved?: SavedOspf) {
    const { core } = world;
    this.#world = world;
    core.groups4.add(ALL_SPF_ROUTERS);
    core.groups4.add(ALL_D_ROUTERS);
    const host = {
      get nowUs() {
        return core.world.nowUs;
      },
      random: (bound: number) => core.world.random.below(bound),
      send: (port: number, target: number, packet: Uint8Array, content: Content | undefined) =>
        this.#send(port, target, packet, content),
      routesChanged: () => {
        core.world.routingChanged?.("its OSPF routes were computed anew");
        this.#installLater();
      },
      neighbourChanged: ({ id, from, to, why }: NeighbourChange) => {
        core.world.routingChanged?.(
          `OSPF neighbour ${formatIpv4(id)} from ${STATES[from]} to ${STATES[to]} (${why})`,
        );
        this.#hasOtherNeighbours = true;
      },
    };
    this.#protocol = new OspfProcess(host, this.#config, saved);
    this.#endWatch = core.tables.routes4.watch(() => this.#redistributeLater());
    if (saved !== undefined) this.#installLater();
    this.#watch();
  }

  get #spec(): OspfSpec {
    return this.#world.core.running.ospf!;
  }

  get #config() {
    const { running, tables } = this.#world.core;
    return toOspfConfig(running, this.#spec, tables);
  }

  get state(): OspfState {
    return this.#protocol.state;
  }

  get table() {
    return this.#protocol.table;
  }

  start(): void {
    this.changed();
  }

  resume(): void {
    this.#world.core.world.routingChanged?.("OSPF continued");
    this.#redistributeLater();
    this.#arm();
  }

  changed(): void {
    this.#world.core.world.routingChanged?.("the configuration of OSPF or a carrier changed");
    this.#isRedistributing = false;
    this.#protocol.configure(this.#config);
    this.#watch();
    if (JSON.stringify(this.#distancesNow) !== this.#distances) this.#installLater();
    this.#arm();
  }

  get #distancesNow(): Distances {
    const { distance, distances } = this.#spec;
    return { ...(distance && { distance }), ...(distances && { distances }) };
  }

  /** The routes that are announced follow in the same instant, once for all changes. */
  #redistributeLater(): void {
    if (this.#isRedistributing || this.#isStopped || !dependsOnRoutes(this.#spec, this.#world.core.running))
      return;
    this.#isRedistributing = true;
    this.#arm();
  }

  #redistribute(): void {
    if (!this.#isRedistributing) return;
    const { running, tables } = this.#world.core;
    const { config } = this.#protocol.state;
    const externals = allExternals(running, this.#spec, tables, config.interfaces);
    this.#isRedistributing = false;
    if (JSON.stringify(externals) === JSON.stringify(config.externals)) return;
    this.#protocol.announce(externals);
  }

  stop(): void {
    const { groups4, tables } = this.#world.core;
    this.#isStopped = true;
    this.#world.liveness.watch(PROTOCOL, [], () => {});
    this.#endWatch();
    this.#alarm?.cancel();
    groups4.delete(ALL_SPF_ROUTERS);
    groups4.delete(ALL_D_ROUTERS);
    for (const { network, prefixLength } of this.#installed.values())
      tables.routes4.set(network, prefixLength, "ospf", []);
    this.#installed.clear();
  }

  save(): SavedOspf {
    return this.#protocol.save();
  }

  freeze() {
    const { input } = this.#protocol;
    return {
      input,
      alarm: this.#alarm,
      alarmUs: this.#alarmUs,
      keepsRunning: this.#keepsRunning,
      isRedistributing: this.#isRedistributing,
    };
  }

  thaw(held: unknown): void {
    const { input, alarm, alarmUs, keepsRunning, isRedistributing } = held as ReturnType<Ospf["freeze"]>;
    this.#protocol.continueWith(input);
    this.#alarm = alarm;
    this.#alarmUs = alarmUs;
    this.#keepsRunning = keepsRunning;
    this.#isRedistributing = isRedistributing;
    alarm?.resume?.(() => this.#wake());
  }

  /** `clear ip ospf neighbor`. */
  clear(): void {
    this.#protocol.clear();
    this.#arm();
  }

  receivePacket4({ port, header, payload }: Packet4): boolean {
    if (header.protocol !== PROTOCOL_OSPF || port.vrf !== undefined) return false;
    const { source, target } = header;
    this.#protocol.receive(port.index, {
      source,
      target,
      packet: payload,
      content: sent.get(payload.buffer),
    });
    this.#arm();
    return true;
  }

  #send(index: number, target: number, packet: Uint8Array, content: Content | undefined): void {
    const { core, ipv4 } = this.#world;
    const port = core.tables.ports[index];
    const source = port?.ipv4?.address;
    if (port === undefined || source === undefined) return;
    const fields = { source, target, protocol: PROTOCOL_OSPF, ttl: TTL, typeOfService: TYPE_OF_SERVICE };
    const isWhole = IPV4_HEADER_BYTES + packet.length <= port.mtuBytes;
    if (!isMulticastIpv4(target) || !isWhole) {
      ipv4.originate(fields, packet, isMulticastIpv4(target) ? port : undefined);
      return;
    }
    const [datagram] = encodeIpv4({ id: core.takeIpv4Id(), ...fields }, packet);
    const frame = encodeEthernet(ipv4MulticastMac(target), port.mac, ETHERTYPE_IPV4, datagram!);
    if (content !== undefined && frame.length === frame.buffer.byteLength) sent.set(frame.buffer, content);
    core.counters.originated += 1;
    core.transmit(index, frame);
  }

  /** Has the neighbours watched at whose ports BFD is configured, from the state 2-Way on, as FRR. */
  #watch(): void {
    this.#hasOtherNeighbours = false;
    const { core, liveness } = this.#world;
    const specs = interfacesOf(core.running);
    const peers: WatchedPeer[] = [];
    for (const [port, iface] of this.#protocol.state.interfaces) {
      const { bfd, bfdProfile: profile } = specs[port]?.ospf ?? {};
      if (bfd !== true && profile === undefined) continue;
      for (const neighbour of iface.neighbours.values())
        if (isAtLeast(neighbour, "2-way"))
          peers.push({ address: neighbour.address, port, ...(profile !== undefined && { profile }) });
    }
    liveness.watch(PROTOCOL, peers, ({ port, address }) => {
      this.#protocol.lose(port!, address as number);
      this.#arm();
    });
  }

  /** Sets the alarm at which the next timer of the process is due. */
  #arm(): void {
    if (this.#hasOtherNeighbours) this.#watch();
    const nextUs = this.#isRedistributing ? this.#world.core.world.nowUs : this.#protocol.nextUs;
    const keepsRunning = this.#isRedistributing || this.#protocol.keepsRunning;
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
    this.#redistribute();
    this.#protocol.wake();
    this.#arm();
  }

  /** The routes are computed when a packet, or a user, next needs a route. */
  #installLater(): void {
    if (this.#isInstalling) return;
    this.#isInstalling = true;
    this.#world.core.tables.routes4.changeLater(() => this.#install());
  }

  #install(): void {
    this.#isInstalling = false;
    if (this.#isStopped) return;
    const { routes4 } = this.#world.core.tables;
    const { prefixes } = this.#protocol.table;
    const distances = this.#distancesNow;
    const text = JSON.stringify(distances);
    const hasOthers = text !== this.#distances;
    this.#distances = text;
    for (const [key, { network, prefixLength }] of this.#installed)
      if (!prefixes.has(key)) routes4.set(network, prefixLength, "ospf", []);
    for (const [key, route] of prefixes) {
      const before = this.#installed.get(key);
      if (before !== undefined && !hasOthers && isSame(before, route)) continue;
      routes4.set(route.network, route.prefixLength, "ospf", routesOf(route, distances));
    }
    this.#installed = new Map(prefixes);
  }
}

const isSame = (a: PrefixRoute, b: PrefixRoute): boolean =>
  a.kind === b.kind &&
  a.cost === b.cost &&
  a.type2Cost === b.type2Cost &&
  a.tag === b.tag &&
  a.hops.length === b.hops.length &&
  a.hops.every(({ port, via }, index) => b.hops[index]!.port === port && b.hops[index]!.via === via);

declare module "../base/service.ts" {
  interface SavedServices {
    readonly ospf?: SavedOspf;
  }
}
