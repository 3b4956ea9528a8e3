/**
 * BGP-4 (RFC 4271) of one router, without anything of a router but its `BgpHost`.
 *
 *     connections, timers, configuration -> neighbours and their sessions -> routes that they announce
 *     routes, own ones -> table: the best of each prefix -> the router's table, and what each neighbour is told
 *
 * Sources: RFC 4271, 4456 (reflectors), 5492, 6793 (AS numbers of 4 bytes), 2918, 7606, 8212. IPv4 unicast alone.
 */
import { CEASE } from "../../wire/bgp.ts";
import { notificationText } from "../../wire/bgp-text.ts";
import { reconsider } from "./adj-in.ts";
import { advertise, advertiseAll, repeatAll } from "./advertise.ts";
import type { BgpConfig, NeighbourConfig } from "./config.ts";
import { trackNextHops } from "./next-hops.ts";
import { cease, HOLD_TIMER_EXPIRED } from "./notifications.ts";
import { updateOwnRoutes } from "./own-routes.ts";
import { receive } from "./receive.ts";
import { restoreBgp, type SavedBgp, saveBgp } from "./saved.ts";
import * as session from "./session.ts";
import { type Bgp, type BgpHost, type Link, type Neighbour, newBgp, newNeighbour } from "./state.ts";
import { install, settle } from "./table.ts";
import type { Due } from "./timers.ts";

export class BgpProcess {
  readonly #bgp: Bgp;

  /** @param saved the state of an earlier run; otherwise the caller configures the process. */
  constructor(host: BgpHost, config: BgpConfig, saved?: SavedBgp) {
    this.#bgp = saved === undefined ? newBgp(host, config) : restoreBgp(host, config, saved);
  }

  /** For displays; they must not change it. */
  get state(): Bgp {
    return this.#bgp;
  }

  /** When `wake` is to be called; undefined while no timer runs. */
  get nextUs(): number | undefined {
    return this.#bgp.timers.nextUs;
  }

  get keepsRunning(): boolean {
    return this.#bgp.timers.keepsRunning;
  }

  /** Takes another configuration: neighbours whose sessions need other messages begin anew. */
  configure(config: BgpConfig): void {
    const bgp = this.#bgp;
    const isAnew = isOtherProcess(bgp.config, config);
    const wanted = new Map(config.neighbours.map((each) => [each.address, each]));
    for (const [address, neighbour] of bgp.neighbours)
      if (!wanted.has(address)) {
        session.restart(bgp, neighbour, CEASE.deconfigured, "Peer deconfigured");
        bgp.timers.clearAll(address);
        bgp.neighbours.delete(address);
      }
    const isPolicyChanged = config.requiresPolicy !== bgp.config.requiresPolicy;
    bgp.config = config;
    for (const own of config.neighbours) this.#configureNeighbour(own, isAnew, isPolicyChanged);
    for (const key of bgp.table.keys()) bgp.changed.add(key);
    updateOwnRoutes(bgp);
    settle(bgp);
  }

  #configureNeighbour(config: NeighbourConfig, isAnew: boolean, isPolicyChanged: boolean): void {
    const bgp = this.#bgp;
    const known = bgp.neighbours.get(config.address);
    if (known === undefined) {
      const added = newNeighbour(config);
      bgp.neighbours.set(config.address, added);
      session.scheduleStart(bgp, added);
      return;
    }
    const before = known.config;
    known.config = config;
    if (config.isShutDown && !before.isShutDown)
      session.end(bgp, known, "Admin. shutdown", {
        notification: { code: 6, subcode: CEASE.administrativeShutdown, data: new Uint8Array(0) },
        isFinal: true,
      });
    else if (isAnew || isOtherSession(before, config))
      session.restart(bgp, known, CEASE.configurationChange, "Config change");
    else if (isPolicyChanged || isOtherPolicy(before, config)) {
      reconsider(bgp, known);
      advertiseAll(bgp, known);
    }
  }

  /** A neighbour has connected. @returns whether its connection is taken. */
  accepted(address: number, connection: number): boolean {
    const neighbour = this.#bgp.neighbours.get(address);
    return neighbour !== undefined && session.accept(this.#bgp, neighbour, connection);
  }

  /** TCP has connected. */
  opened(connection: number): void {
    this.#at(connection, (neighbour, link) => session.opened(this.#bgp, neighbour, link));
  }

  received(connection: number, bytes: Uint8Array): void {
    this.#at(connection, (neighbour, link) => receive(this.#bgp, neighbour, link, bytes));
  }

  /** The neighbour has closed the connection, or it has failed. */
  closed(connection: number, why: string): void {
    this.#at(connection, (neighbour, link) => {
      if (link.state === "Connect") session.refused(this.#bgp, neighbour, link, why);
      else session.fail(this.#bgp, neighbour, link, why);
    });
  }

  #at(connection: number, act: (neighbour: Neighbour, link: Link) => void): void {
    for (const neighbour of this.#bgp.neighbours.values()) {
      const link = neighbour.links.find((each) => each.connection === connection);
      if (link === undefined) continue;
      act(neighbour, link);
      settle(this.#bgp);
      return;
    }
  }

  /** Fires the timers that are due. */
  wake(): void {
    const bgp = this.#bgp;
    for (;;) {
      const due = bgp.timers.take(bgp.host.nowUs);
      if (due === undefined) return;
      this.#fire(due);
      settle(bgp);
    }
  }

  /** The router's table has other routes than before, by other protocols. */
  routesChanged(): void {
    this.#bgp.timers.begin("routes", 0, this.#bgp.host.nowUs, true);
  }

  /** A subnet is gone: sessions over it end at once, as with FRR's fast external failover. */
  checkLinks(): void {
    const bgp = this.#bgp;
    for (const neighbour of bgp.neighbours.values()) {
      const { config } = neighbour;
      if (!config.mustBeConnected || neighbour.links.length === 0) continue;
      if (bgp.host.resolve(config.address, () => true)?.isConnected) continue;
      session.end(bgp, neighbour, "Interface down");
    }
    settle(bgp);
  }

  /** BFD has found that the path to a neighbour has failed (RFC 9384). */
  lose(address: number): void {
    const neighbour = this.#bgp.neighbours.get(address);
    if (neighbour === undefined || neighbour.links.length === 0) return;
    session.end(this.#bgp, neighbour, "BFD down received", { notification: cease(CEASE.bfdDown) });
    settle(this.#bgp);
  }

  /** `clear ip bgp`. */
  clear(neighbours: readonly Neighbour[]): void {
    for (const neighbour of neighbours)
      session.restart(this.#bgp, neighbour, CEASE.administrativeReset, "User reset");
    settle(this.#bgp);
  }

  /** `clear ip bgp ... soft`: routes are judged anew, without an end of sessions. */
  clearSoft(neighbours: readonly Neighbour[], direction: "in" | "out" | "both"): void {
    const bgp = this.#bgp;
    for (const neighbour of neighbours) {
      if (direction !== "out") reconsider(bgp, neighbour);
      if (direction !== "in") repeatAll(bgp, neighbour);
    }
    settle(bgp);
  }

  /** The process ends. */
  stop(): void {
    const bgp = this.#bgp;
    for (const neighbour of bgp.neighbours.values())
      session.end(bgp, neighbour, "Peer deconfigured", {
        notification: { code: 6, subcode: CEASE.deconfigured, data: new Uint8Array(0) },
        isFinal: true,
      });
    for (const entry of bgp.table.values()) if (entry.isInstalled) bgp.host.remove(entry);
    bgp.table.clear();
  }

  /** Puts the routes of an earlier run in a table that has none of BGP. */
  reinstall(): void {
    for (const entry of this.#bgp.table.values()) if (entry.isInstalled) install(this.#bgp, entry);
  }

  save(): SavedBgp {
    return saveBgp(this.#bgp);
  }

  #fire({ name, neighbour: address }: Due): void {
    const bgp = this.#bgp;
    if (name === "routes") {
      trackNextHops(bgp);
      updateOwnRoutes(bgp);
      for (const neighbour of bgp.neighbours.values()) this.#retryUnreachable(neighbour);
      return;
    }
    const neighbour = bgp.neighbours.get(address);
    if (neighbour === undefined) return;
    if (name === "start") session.connect(bgp, neighbour);
    else if (name === "connect") session.retryConnect(bgp, neighbour);
    else if (name === "keepalive") session.sendKeepalive(bgp, neighbour);
    else if (name === "advertise") advertise(bgp, neighbour);
    else
      session.end(bgp, neighbour, notificationText(HOLD_TIMER_EXPIRED), { notification: HOLD_TIMER_EXPIRED });
  }

  /** A neighbour that had no way may have one now. */
  #retryUnreachable(neighbour: Neighbour): void {
    const isWaiting = neighbour.waiting === "Active" && neighbour.links.length === 0;
    if (isWaiting && neighbour.lastReset === "Waiting for NHT") session.connect(this.#bgp, neighbour);
  }
}

const isOtherProcess = (before: BgpConfig, after: BgpConfig): boolean =>
  before.as !== after.as || before.routerId !== after.routerId || before.clusterId !== after.clusterId;

/** Whether two configurations of a neighbour need different connections or messages of opening. */
const isOtherSession = (before: NeighbourConfig, after: NeighbourConfig): boolean =>
  before.remoteAs !== after.remoteAs ||
  before.isInternal !== after.isInternal ||
  before.ownAs !== after.ownAs ||
  before.isShutDown !== after.isShutDown ||
  before.isPassive !== after.isPassive ||
  before.ttl !== after.ttl ||
  before.mustBeConnected !== after.mustBeConnected ||
  before.isActive !== after.isActive ||
  before.isClient !== after.isClient ||
  JSON.stringify(before.source) !== JSON.stringify(after.source);

/** Whether routes may be other ones for it. JSON leaves out the functions, which `policyText` stands for. */
const isOtherPolicy = (before: NeighbourConfig, after: NeighbourConfig): boolean =>
  JSON.stringify(before) !== JSON.stringify(after);
