/**
 * RIP version 2 (RFC 2453) on a router.
 *
 *     start, port up    -> request for the whole table
 *     every 30 s +- 5 s -> the table, from each port
 *     a route changes   -> the changed routes at once, then at most every 1 to 5 s
 *
 * Timers of updates and routes are background timers. A triggered update that waits keeps a run going, so that a change reaches all
 * routers. Not implemented: version 1.
 */
import { ownValue } from "../../../../base/own-value.ts";
import type { Timer } from "../../../../base/world.ts";
import { contains4, type Prefix4 } from "../../../../net/address/prefix.ts";
import type { Rib } from "../../../../net/fib/rib.ts";
import { OWN_TTL } from "../../../../net/plane/core.ts";
import type { Datagram4 } from "../../../../net/plane/delivery.ts";
import type { RouterPort } from "../../../../net/plane/tables.ts";
import { policiesOf } from "../../../../routing/policy/policies.ts";
import { PROTOCOL_UDP } from "../../../../wire/ipv4.ts";
import { isMulticastIpv4 } from "../../../../wire/ipv4-address.ts";
import {
  decodeRip,
  encodeRip,
  RIP_FAMILY_AUTHENTICATION,
  RIP_GROUP,
  RIP_MAX_ENTRIES,
  RIP_PORT,
  RIP_REQUEST,
  RIP_RESPONSE,
  RIP_VERSION,
  type RipEntry,
  type Rip as RipMessage,
} from "../../../../wire/rip.ts";
import { encodeUdp4 } from "../../../../wire/udp.ts";
import type { Service, ServiceWorld } from "../base/service.ts";
import { Authenticator } from "./authentication.ts";
import type { RipAuthentication } from "./authentication-settings.ts";
import { isTaken } from "./distribution.ts";
import { isActive, neighborsAt, ownRoutes, ripPorts } from "./own-routes.ts";
import { type Peer, Peers } from "./peers.ts";
import { readEntry } from "./read-entry.ts";
import { installRoute, restoreRoute, type SavedRip, saveRoute } from "./saved.ts";
import type { RipSpec } from "./settings.ts";
import { keyOf, type Offer, type RipRoute, RipTable, type Times } from "./table.ts";
import { answerFor, isWholeTable, updateFor, WHOLE_TABLE } from "./updates.ts";

const SECOND_US = 1_000_000;
/** Section 3.8: 30 s, give or take 5 s. Other intervals are offset in proportion. */
const JITTER_PARTS = 6;
/** Section 3.10.1: between two triggered updates. */
const QUIET_MIN_US = SECOND_US;
const QUIET_SPREAD_US = 4 * SECOND_US;
/** RFC 791: internetwork control. */
const TYPE_OF_SERVICE = 0xc0;
const LINK_TTL = 1;

export class Rip implements Service {
  readonly #world: ServiceWorld;
  readonly #table: RipTable;
  readonly #peers: Peers;
  readonly #authenticator: Authenticator;
  /** The routes whose last change the router's table does not have yet, by `keyOf`. */
  readonly #uninstalled = new Map<number, RipRoute>();
  /** The ports on which RIP ran when the configuration last changed: their names by index. Indexes change with subinterfaces. */
  #ports: ReadonlyMap<number, string>;
  #nextUpdateUs: number;
  #quietUntilUs: number;
  #alarm: Timer | undefined;
  #trigger: Timer | undefined;
  /** Routes of others may have changed. */
  #redistribution: Timer | undefined;
  readonly #endWatch: () => void;
  /** Of the routes in the router's table. */
  #distance: number | undefined;

  constructor(world: ServiceWorld, saved?: SavedRip) {
    const { nowUs } = world.core.world;
    this.#world = world;
    this.#distance = this.#spec.distance;
    const routes = saved?.routes.map((route) => restoreRoute(route, nowUs)) ?? [];
    for (const route of routes) this.#installLater(route);
    this.#table = new RipTable(routes, (route) => this.#installLater(route));
    this.#peers = new Peers(saved?.peers ?? [], nowUs);
    this.#authenticator = new Authenticator(nowUs, saved?.authentication);
    this.#ports = namesOf(ripPorts(world.core.tables, this.#spec));
    this.#nextUpdateUs = nowUs + (saved?.nextUpdateInUs ?? 0);
    this.#quietUntilUs = nowUs + (saved?.quietForUs ?? 0);
    world.core.groups4.add(RIP_GROUP);
    this.#endWatch = world.core.tables.routes4.watch(() => this.#redistributeLater());
  }

  /** The own routes follow in the same instant, once for all changes. */
  #redistributeLater(): void {
    const { static: fixed, ospf, bgp } = this.#spec.redistribute;
    const depends = ospf !== undefined || bgp !== undefined || (fixed !== undefined && this.#hasBackups);
    if (!depends || this.#redistribution !== undefined) return;
    this.#redistribution = this.#world.core.world.after(0, () => this.#redistribute());
  }

  /** A static route with a distance may give way to a route of a protocol. */
  get #hasBackups(): boolean {
    return this.#world.core.running.routes.some(({ distance }) => distance !== undefined);
  }

  #redistribute(): void {
    this.#redistribution = undefined;
    if (this.#table.setOwn(this.#own, this.#nowUs, this.#times)) this.#changed();
  }

  get #own(): Offer[] {
    const { tables, running } = this.#world.core;
    return ownRoutes(tables, running);
  }

  get #spec(): RipSpec {
    return this.#world.core.running.rip!;
  }

  get #nowUs(): number {
    return this.#world.core.world.nowUs;
  }

  get #times(): Times {
    const { timeoutSeconds, garbageSeconds } = this.#spec;
    return { timeoutUs: timeoutSeconds * SECOND_US, garbageUs: garbageSeconds * SECOND_US };
  }

  start(): void {
    this.#table.setOwn(this.#own, this.#nowUs, this.#times);
    this.#scheduleUpdate();
    for (const port of this.#activePorts) this.#send(port, RIP_GROUP, RIP_REQUEST, [WHOLE_TABLE]);
    // The neighbours that are on already have none of these routes.
    this.#changed();
  }

  resume(): void {
    this.#wait();
    this.#redistributeLater();
    if (this.#isPending) this.#awaitQuiet();
  }

  changed(): void {
    const { core } = this.#world;
    const before = this.#ports;
    this.#ports = namesOf(ripPorts(core.tables, this.#spec));
    for (const [index, name] of before)
      if (this.#ports.get(index) !== name) this.#table.forgetPort(index, this.#nowUs, this.#times);
    this.#table.setOwn(this.#own, this.#nowUs, this.#times);
    for (const port of this.#activePorts)
      if (before.get(port.index) !== port.name) this.#send(port, RIP_GROUP, RIP_REQUEST, [WHOLE_TABLE]);
    if (this.#spec.distance !== this.#distance)
      for (const route of this.#table.list()) this.#installLater(route);
    this.#distance = this.#spec.distance;
    this.#nextUpdateUs = Math.min(this.#nextUpdateUs, this.#nowUs + this.#intervalUs);
    this.#changed();
  }

  stop(): void {
    this.#alarm?.cancel();
    this.#trigger?.cancel();
    this.#redistribution?.cancel();
    this.#endWatch();
    this.#world.core.groups4.delete(RIP_GROUP);
    const { routes4 } = this.#world.core.tables;
    this.#uninstalled.clear();
    for (const { network, prefixLength } of this.#table.list()) routes4.set(network, prefixLength, "rip", []);
  }

  save(): SavedRip {
    const nowUs = this.#nowUs;
    const authentication = this.#authenticator.save(nowUs);
    return {
      routes: this.#table.list().map((route) => saveRoute(route, nowUs)),
      peers: this.#peers.save(nowUs),
      nextUpdateInUs: Math.max(0, this.#nextUpdateUs - nowUs),
      quietForUs: Math.max(0, this.#quietUntilUs - nowUs),
      ...(authentication && { authentication }),
    };
  }

  freeze() {
    return {
      table: this.#table.freeze(),
      nextUpdateUs: this.#nextUpdateUs,
      quietUntilUs: this.#quietUntilUs,
      alarm: this.#alarm,
      trigger: this.#trigger,
      redistribution: this.#redistribution,
    };
  }

  thaw(held: unknown): void {
    const { table, nextUpdateUs, quietUntilUs, alarm, trigger, redistribution } = held as ReturnType<
      Rip["freeze"]
    >;
    this.#table.thaw(table);
    this.#nextUpdateUs = nextUpdateUs;
    this.#quietUntilUs = quietUntilUs;
    this.#alarm = alarm;
    this.#trigger = trigger;
    alarm?.resume?.(() => this.#act());
    trigger?.resume?.(() => this.#endQuiet());
    this.#redistribution = redistribution;
    redistribution?.resume?.(() => this.#redistribute());
  }

  routes(): readonly RipRoute[] {
    return this.#table.list();
  }

  peers(): Peer[] {
    this.#forgetSilent();
    return this.#peers.list();
  }

  get nextUpdateUs(): number {
    return this.#nextUpdateUs;
  }

  receive4({ port, header, udp, toAll }: Datagram4): boolean {
    if (udp.targetPort !== RIP_PORT || (toAll && !isMulticastIpv4(header.target))) return false;
    if (!this.#ports.has(port.index)) return toAll;
    const { source } = header;
    if (this.#spec.authentication !== undefined) this.#forgetSilent();
    const data = this.#authenticator.check(udp.data, this.#authenticationAt(port), source, this.#nowUs);
    const message = data === undefined ? null : decodeRip(data);
    if (message === null || message.version !== RIP_VERSION) this.#refuse(source);
    else if (message.entries[0]?.family === RIP_FAMILY_AUTHENTICATION) this.#refuse(source);
    else if (message.command === RIP_REQUEST) this.#answer(port, source, udp.sourcePort, message);
    else if (message.command === RIP_RESPONSE && udp.sourcePort === RIP_PORT)
      this.#takeResponse(port, source, message);
    else this.#refuse(source);
    return true;
  }

  #authenticationAt({ name }: RouterPort): RipAuthentication | undefined {
    return ownValue(this.#spec.authentication, name);
  }

  #forgetSilent(): void {
    const beforeUs = this.#nowUs - this.#times.timeoutUs;
    this.#peers.forgetSilent(beforeUs);
    this.#authenticator.forget(beforeUs);
  }

  #refuse(source: number): void {
    this.#world.core.drop("malformed");
    this.#peers.hear(source, this.#nowUs, 1);
  }

  /** A passive port answers programs, which ask from other UDP ports (section 3.9.1). */
  #answer(port: RouterPort, source: number, sourcePort: number, { entries }: RipMessage): void {
    if (entries.length === 0 || (sourcePort === RIP_PORT && !isActive(port, this.#spec))) return;
    const answer = isWholeTable(entries)
      ? updateFor(this.#sentBy(port, this.#table.list()), port, this.#spec.splitHorizon)
      : answerFor(entries, this.#table);
    this.#send(port, source, RIP_RESPONSE, answer, sourcePort);
  }

  /** Routers that are not on the port's subnet cannot be next hops (section 3.9.2). */
  #takeResponse(port: RouterPort, source: number, { entries }: RipMessage): void {
    if (port.ipv4 === undefined || !contains4(port.ipv4, source)) {
      this.#refuse(source);
      return;
    }
    const [nowUs, times] = [this.#nowUs, this.#times];
    let [isChanged, badRoutes] = [false, 0];
    const { distribute } = this.#spec;
    const policies = policiesOf(this.#world.core.running);
    for (const entry of entries) {
      const offer = readEntry(entry, port, source);
      if (offer === undefined) badRoutes += 1;
      else if (!isTaken(distribute, "in", port.name, policies, offerPrefix(offer))) continue;
      else isChanged = this.#table.learn(offer, nowUs, times) || isChanged;
    }
    this.#peers.hear(source, nowUs, 0, badRoutes);
    if (isChanged) this.#changed();
    else this.#wait();
  }

  get #activePorts(): RouterPort[] {
    return ripPorts(this.#world.core.tables, this.#spec).filter((port) => isActive(port, this.#spec));
  }

  get #isPending(): boolean {
    return this.#table.changes().length > 0;
  }

  #installLater(route: RipRoute): void {
    const { routes4 } = this.#world.core.tables;
    if (this.#uninstalled.size === 0) routes4.changeLater(() => this.#install(routes4));
    this.#uninstalled.set(keyOf(route), route);
  }

  #install(routes4: Rib<number>): void {
    for (const route of this.#uninstalled.values()) installRoute(routes4, route, this.#spec.distance);
    this.#uninstalled.clear();
  }

  /** Sends the changed routes, now or when the quiet time is over; not if the next update is due before. */
  #changed(): void {
    this.#wait();
    if (!this.#isPending || this.#trigger !== undefined) return;
    if (this.#nowUs >= this.#quietUntilUs) this.#sendTriggered();
    else this.#awaitQuiet();
  }

  #awaitQuiet(): void {
    const delayUs = Math.max(0, Math.min(this.#quietUntilUs, this.#nextUpdateUs) - this.#nowUs);
    this.#trigger = this.#world.core.world.after(delayUs, () => this.#endQuiet());
  }

  #endQuiet(): void {
    this.#trigger = undefined;
    if (this.#nowUs < this.#nextUpdateUs) this.#sendTriggered();
    else this.#act();
  }

  #sendTriggered(): void {
    this.#quietUntilUs =
      this.#nowUs + QUIET_MIN_US + this.#world.core.world.random.below(QUIET_SPREAD_US + 1);
    this.#sendUpdates(this.#table.changes());
  }

  #sendUpdates(routes: readonly RipRoute[]): void {
    const spec = this.#spec;
    for (const port of ripPorts(this.#world.core.tables, spec)) {
      const entries = updateFor(this.#sentBy(port, routes), port, spec.splitHorizon);
      if (entries.length === 0) continue;
      if (isActive(port, spec)) this.#send(port, RIP_GROUP, RIP_RESPONSE, entries);
      for (const neighbor of neighborsAt(port, spec)) this.#send(port, neighbor, RIP_RESPONSE, entries);
    }
    this.#table.settle();
  }

  /** The routes that the lists at a port let out. */
  #sentBy({ name }: RouterPort, routes: readonly RipRoute[]): readonly RipRoute[] {
    const { distribute } = this.#spec;
    if (distribute === undefined) return routes;
    const policies = policiesOf(this.#world.core.running);
    return routes.filter((route) => isTaken(distribute, "out", name, policies, offerPrefix(route)));
  }

  #scheduleUpdate(): void {
    const spreadUs = Math.floor(this.#intervalUs / JITTER_PARTS);
    const jitterUs = this.#world.core.world.random.below(2 * spreadUs + 1) - spreadUs;
    this.#nextUpdateUs = this.#nowUs + this.#intervalUs + jitterUs;
    this.#wait();
  }

  get #intervalUs(): number {
    return this.#spec.updateSeconds * SECOND_US;
  }

  /** Sets the one alarm for updates and deadlines of routes. */
  #wait(): void {
    this.#alarm?.cancel();
    const atUs = this.#table.nextDeadlineUs(this.#nextUpdateUs);
    this.#alarm = this.#world.core.world.after(
      Math.max(0, atUs - this.#nowUs),
      () => this.#act(),
      "background",
    );
  }

  #act(): void {
    this.#table.expire(this.#nowUs, this.#times);
    if (this.#nowUs >= this.#nextUpdateUs) {
      this.#trigger?.cancel();
      this.#trigger = undefined;
      this.#sendUpdates(this.#table.list());
      this.#scheduleUpdate();
    } else this.#changed();
  }

  #send(
    port: RouterPort,
    target: number,
    command: number,
    entries: readonly RipEntry[],
    targetPort = RIP_PORT,
  ): void {
    const source = port.ipv4!.address;
    const toGroup = target === RIP_GROUP;
    const authentication = this.#authenticationAt(port);
    // The key takes the place of an entry.
    const most = authentication === undefined ? RIP_MAX_ENTRIES : RIP_MAX_ENTRIES - 1;
    for (let at = 0; at < entries.length; at += most) {
      const message = { command, version: RIP_VERSION, entries: entries.slice(at, at + most) };
      const data = this.#authenticator.add(encodeRip(message), authentication, this.#nowUs);
      const udp = { sourcePort: RIP_PORT, targetPort, data };
      this.#world.ipv4.originate(
        {
          source,
          target,
          protocol: PROTOCOL_UDP,
          ttl: toGroup ? LINK_TTL : OWN_TTL,
          typeOfService: TYPE_OF_SERVICE,
        },
        encodeUdp4(source, target, udp),
        toGroup ? port : undefined,
      );
    }
  }
}

const offerPrefix = ({ network, prefixLength }: Pick<Offer, "network" | "prefixLength">): Prefix4 => ({
  address: network,
  prefixLength,
});

const namesOf = (ports: readonly RouterPort[]): Map<number, string> =>
  new Map(ports.map(({ index, name }) => [index, name]));
