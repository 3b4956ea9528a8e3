/**
 * OSPF version 2 (RFC 2328) of one router, without anything of a router but its `OspfHost`.
 *
 *     packets, timers, configuration -> states of interfaces and neighbours -> databases
 *                                    -> settle: elections, own LSAs, LSAs of MaxAge
 *     databases -> the throttle's time comes -> a picture of them -> routes, when the host asks for them
 *
 * Areas may be stub areas. Not implemented: NSSA, virtual links, ranges, NBMA, point-to-multipoint, unnumbered links.
 */
import type { Lsa } from "../../wire/ospf-lsa.ts";
import type { AreaConfig, ExternalRoute, InterfaceConfig, OspfConfig } from "./config.ts";
import { isMaxAge } from "./database.ts";
import { repeatDescription, sendRequest } from "./describe.ts";
import { retransmit, sendDelayedAcknowledgments, sendOutgoing } from "./flooding.ts";
import { sendHello } from "./hello.ts";
import { addInterface, endWaiting, holdElections, removeInterface } from "./interfaces.ts";
import { removeNeighbour } from "./neighbours.ts";
import { ageDatabases, originate, removeMaxAged } from "./origination.ts";
import { isBorderRouter } from "./own-links.ts";
import { type Arrived, receivePacket } from "./receive.ts";
import { computeRoutes, type RoutingInput } from "./routes.ts";
import { NO_ROUTES, type RoutingTable } from "./routing-table.ts";
import { restoreOspf, type SavedOspf, saveOspf } from "./saved.ts";
import type { LocalLink } from "./spf.ts";
import { scheduleSpf } from "./spf-schedule.ts";
import { type Database, type Interface, type Neighbour, newOspf, type Ospf, type OspfHost } from "./state.ts";
import type { Due } from "./timers.ts";

export class OspfProcess {
  readonly #ospf: Ospf;
  /** What the routes are computed of. */
  #input: RoutingInput | undefined;
  #table: RoutingTable | undefined;

  /** @param saved the state of an earlier run; otherwise the caller configures the process. */
  constructor(host: OspfHost, config: OspfConfig, saved?: SavedOspf) {
    this.#ospf = saved === undefined ? newOspf(host, config) : restoreOspf(host, config, saved);
    // The routes of the last computation are not stored; the databases are.
    if (saved !== undefined && saved.spf.lastAgoUs !== null) this.#input = pictureOf(this.#ospf);
  }

  /** For displays; they must not change it. */
  get state(): Ospf {
    return this.#ospf;
  }

  /** When `wake` is to be called; undefined while no timer runs. */
  get nextUs(): number | undefined {
    return this.#ospf.timers.nextUs;
  }

  get keepsRunning(): boolean {
    return this.#ospf.timers.keepsRunning;
  }

  /** What the routes were last computed of: between two runs, the databases as they are then. */
  get input(): RoutingInput | undefined {
    return this.#input;
  }

  /** Goes on in the middle of a run. */
  continueWith(input: RoutingInput | undefined): void {
    this.#input = input;
    this.#table = undefined;
  }

  /** The routes as they were last computed. */
  get table(): RoutingTable {
    if (this.#input === undefined) return NO_ROUTES;
    this.#table ??= computeRoutes(this.#input);
    return this.#table;
  }

  /** Takes another configuration: interfaces whose settings differ begin anew. */
  configure(config: OspfConfig): void {
    const ospf = this.#ospf;
    const hasOtherId = config.routerId !== ospf.config.routerId;
    const isKept = (iface: Interface): boolean => {
      const next = config.interfaces.find(({ port }) => port === iface.config.port);
      if (hasOtherId || next === undefined || isAnew(iface.config, next)) return false;
      return isSameArea(ospf.areas.get(next.areaId)?.config, areaIn(config, next.areaId));
    };
    for (const iface of ospf.interfaces.values())
      if (!isKept(iface)) removeInterface(ospf, iface, "configuration");
    if (hasOtherId) this.#forgetAll();
    ospf.config = config;
    for (const area of config.areas) {
      const known = ospf.areas.get(area.id);
      if (known !== undefined) known.config = area;
      else ospf.areas.set(area.id, { config: area, database: new Map() });
    }
    for (const id of ospf.areas.keys())
      if (!config.areas.some((area) => area.id === id)) ospf.areas.delete(id);
    for (const each of config.interfaces) {
      const iface = ospf.interfaces.get(each.port);
      if (iface === undefined) addInterface(ospf, each);
      else iface.config = each;
    }
    ospf.isOriginationDue = true;
    scheduleSpf(ospf);
    this.#settle();
  }

  /** Announces other routes of other sources; nothing else changes. */
  announce(externals: readonly ExternalRoute[]): void {
    const ospf = this.#ospf;
    ospf.config = { ...ospf.config, externals };
    ospf.isOriginationDue = true;
    this.#settle();
  }

  receive(port: number, arrived: Arrived): void {
    const iface = this.#ospf.interfaces.get(port);
    if (iface === undefined) return;
    receivePacket(this.#ospf, iface, arrived);
    this.#settle();
  }

  /** Fires the timers that are due. */
  wake(): void {
    const ospf = this.#ospf;
    for (;;) {
      const due = ospf.timers.take(ospf.host.nowUs);
      if (due === undefined) return;
      this.#fire(due);
      this.#settle();
    }
  }

  /** `clear ip ospf neighbor`: all adjacencies begin anew. */
  clear(): void {
    for (const iface of this.#ospf.interfaces.values())
      for (const neighbour of iface.neighbours.values())
        removeNeighbour(this.#ospf, iface, neighbour, "cleared");
    this.#settle();
  }

  /** BFD has found that the path to a neighbour has failed: the neighbour is lost as if it had been silent for the dead interval. */
  lose(port: number, address: number): void {
    const iface = this.#ospf.interfaces.get(port);
    for (const neighbour of iface?.neighbours.values() ?? [])
      if (neighbour.address === address) removeNeighbour(this.#ospf, iface!, neighbour, "BFD session down");
    this.#settle();
  }

  save(): SavedOspf {
    return saveOspf(this.#ospf);
  }

  #forgetAll(): void {
    const ospf = this.#ospf;
    for (const area of ospf.areas.values()) area.database.clear();
    ospf.external.clear();
    this.#input = undefined;
    this.#table = undefined;
  }

  #fire({ name, slot }: Due): void {
    const ospf = this.#ospf;
    switch (name) {
      case "spf":
        this.#computeLater();
        return;
      case "originate":
      case "correct":
        ospf.isOriginationDue = true;
        return;
      case "age":
        ageDatabases(ospf);
        return;
      default:
    }
    for (const iface of ospf.interfaces.values()) {
      if (iface.slot === slot) this.#fireOf(iface, name);
      for (const neighbour of iface.neighbours.values())
        if (neighbour.slot === slot) this.#fireAt(iface, neighbour, name);
    }
  }

  #fireOf(iface: Interface, name: Due["name"]): void {
    const ospf = this.#ospf;
    if (name === "hello") sendHello(ospf, iface);
    else if (name === "wait") endWaiting(ospf, iface);
    else if (name === "flood") sendOutgoing(ospf, iface);
    else if (name === "acknowledge") sendDelayedAcknowledgments(ospf, iface);
  }

  #fireAt(iface: Interface, neighbour: Neighbour, name: Due["name"]): void {
    const ospf = this.#ospf;
    if (name === "inactivity") removeNeighbour(ospf, iface, neighbour, "inactivity timer");
    else if (name === "description") repeatDescription(ospf, iface, neighbour);
    else if (name === "request") sendRequest(ospf, iface, neighbour);
    else if (name === "retransmit" || name === "retry") retransmit(ospf, iface, neighbour);
  }

  /** Does what the states now require, until nothing is left to do. */
  #settle(): void {
    const ospf = this.#ospf;
    for (;;) {
      holdElections(ospf);
      removeMaxAged(ospf);
      if (!ospf.isOriginationDue) return;
      ospf.isOriginationDue = false;
      originate(ospf, () => this.table);
    }
  }

  /** Keeps what the routes are computed of. Border routers need them at once. */
  #computeLater(): void {
    const ospf = this.#ospf;
    ospf.spf.lastUs = ospf.host.nowUs;
    ospf.spf.runs += 1;
    this.#input = pictureOf(ospf);
    this.#table = undefined;
    if (isBorderRouter(ospf)) ospf.isOriginationDue = true;
    ospf.host.routesChanged();
  }
}

function pictureOf(ospf: Ospf): RoutingInput {
  return {
    routerId: ospf.config.routerId,
    isBorder: isBorderRouter(ospf),
    areas: [...ospf.areas].map(([id, { database }]) => ({ id, lsas: youngLsas(ospf, database) })),
    external: youngLsas(ospf, ospf.external),
    links: [...ospf.interfaces.values()].map(linkOf),
  };
}

function youngLsas({ host }: Ospf, database: Database): Lsa[] {
  const lsas: Lsa[] = [];
  for (const entry of database.values()) if (!isMaxAge(entry, host.nowUs)) lsas.push(entry.lsa);
  return lsas;
}

const linkOf = ({ config, neighbours }: Interface): LocalLink => ({
  port: config.port,
  address: config.address,
  prefixLength: config.prefixLength,
  areaId: config.areaId,
  isPointToPoint: config.network === "point-to-point",
  neighbours: new Map([...neighbours.values()].map(({ id, address }) => [id, address])),
});

/** Whether an interface with other settings begins anew. Costs, priorities and timers change as it runs. */
function isAnew(before: InterfaceConfig, next: InterfaceConfig): boolean {
  return (
    before.name !== next.name ||
    before.address !== next.address ||
    before.prefixLength !== next.prefixLength ||
    before.areaId !== next.areaId ||
    before.network !== next.network ||
    before.isPassive !== next.isPassive
  );
}

const areaIn = ({ areas }: OspfConfig, id: number): AreaConfig | undefined =>
  areas.find((area) => area.id === id);
const isSameArea = (before: AreaConfig | undefined, next: AreaConfig | undefined): boolean =>
  before?.kind === next?.kind;
