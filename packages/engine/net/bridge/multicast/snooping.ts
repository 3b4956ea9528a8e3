/**
 * Snooping of IGMP and MLD (RFC 4541): a switch that listens to reports and queries, and sends frames to a group only where they are wanted.
 *
 *     query                      to all ports; where it comes from is a router
 *     report, leave              to routers
 *     a group that is for all    to all ports
 *     another group              to its members and to routers
 */

import type { Timer, World } from "../../../base/world.ts";
import type { GroupMessage } from "../../../wire/igmp.ts";
import { Members, type SavedMembership, type SavedRouter } from "./members.ts";
import type { GroupProtocol } from "./protocol.ts";
import { Querier, type SavedVlan } from "./querier.ts";
import type { SnoopingSettings } from "./settings.ts";

const SECOND_US = 1_000_000;
const RESPONSE_US = 10 * SECOND_US;
/** Last Member Query Interval, and how often the group is asked (RFC 3376, 8.8 and 8.9). */
const LAST_MEMBER_US = SECOND_US;
const ROBUSTNESS = 2;
/** Frames of a tree that changes are all sent before the query that follows the change. */
const SETTLE_US = 1_000;

export interface SavedSnooping<S> {
  readonly members: readonly SavedMembership<S>[];
  readonly routers: readonly SavedRouter[];
  readonly vlans: readonly SavedVlan<S>[];
}

export interface SnoopingReport {
  readonly groups: readonly {
    readonly vlan: number;
    readonly group: string;
    /** Seconds until the port is forgotten. */
    readonly ports: readonly { readonly port: number; readonly seconds: number }[];
  }[];
  /** `seconds` is absent for a port that is set. */
  readonly router_ports: readonly {
    readonly vlan: number;
    readonly port: number;
    readonly seconds?: number;
  }[];
  readonly queriers: readonly { readonly vlan: number; readonly address: string; readonly is_own: boolean }[];
}

export interface SnoopingSurroundings {
  readonly world: World;
  /** The address of the switch. */
  readonly mac: number;
  /** The VLANs that ports name. */
  readonly vlans: readonly number[];
  /** Whether a port that was saved still carries the VLAN. */
  readonly carries: (port: number, vlan: number) => boolean;
  /** Sends a frame of the switch itself to a VLAN: to all ports, or to one. */
  readonly send: (vlan: number, frame: Uint8Array, port?: number) => void;
}

/** The querier in the form of its protocol. */
export interface QuerierOf<A> {
  readonly address: A;
  readonly version: number;
}

interface Asked<A> {
  readonly vlan: number;
  readonly group: A;
  readonly port: number;
  timer: Timer | undefined;
}

export class Snooping<A extends number | bigint, S extends number | string> {
  readonly #protocol: GroupProtocol<A, S>;
  readonly #settings: SnoopingSettings<QuerierOf<A>>;
  readonly #around: SnoopingSurroundings;
  readonly #members: Members<S>;
  readonly #querier: Querier<A, S>;
  #isChanging = false;
  #settling: Timer | undefined;
  /** The groups that are asked once more. */
  readonly #asked = new Set<Asked<A>>();

  constructor(
    protocol: GroupProtocol<A, S>,
    settings: SnoopingSettings<QuerierOf<A>>,
    around: SnoopingSurroundings,
    saved?: SavedSnooping<S>,
  ) {
    this.#protocol = protocol;
    this.#settings = settings;
    this.#around = around;
    const { world, vlans, carries } = around;
    this.#members = new Members<S>(
      (text) => (typeof protocol.save(protocol.none) === "number" ? Number(text) : text) as S,
      saved?.members.filter(([vlan, , port]) => carries(port, vlan)) ?? [],
      saved?.routers.filter(([vlan, port]) => carries(port, vlan)) ?? [],
      world.nowUs,
    );
    const ask = (vlan: number): void => this.#query(vlan, protocol.none, RESPONSE_US);
    const { querier, interval } = settings;
    this.#querier = new Querier(protocol, querier?.address, interval, vlans, world, ask, saved?.vlans);
  }

  start(): void {
    this.#querier.start();
  }

  /**
   * @param frame of at least 14 bytes, to a group, without the tag of its VLAN.
   * @returns the ports to which it goes; undefined: to all.
   */
  route(vlan: number, port: number, frame: Uint8Array): readonly number[] | undefined {
    const read = this.#protocol.read(frame);
    if (read === undefined) return undefined;
    const { group, source, isOfRouter, isForAll, message } = read;
    if (isOfRouter) this.#hearRouter(vlan, port);
    if (message !== undefined) return this.#listen(vlan, port, message, source);
    if (isForAll) return undefined;
    const members = this.#members.membersOf(vlan, this.#protocol.save(group), this.#around.world.nowUs);
    if (members.length === 0 && this.#settings.flood_unknown) return undefined;
    return [...new Set([...members, ...this.#routersOf(vlan)])];
  }

  /** Forgets what is behind a port whose link is gone. */
  flush(port: number): void {
    this.#members.flush(port);
  }

  /** The tree has changed at a port: asks all members to report, so that they are found on their new ways (RFC 4541, 2.1.1). */
  treeChanged(port: number): void {
    const { asksWithoutAddress } = this.#protocol;
    const canAsk = (vlan: number): boolean => asksWithoutAddress || this.#querier.asks(vlan);
    // Without an answer, members that have not moved would be lost.
    if (!this.#around.vlans.every(canAsk)) return;
    this.#members.flush(port);
    if (this.#isChanging) return;
    this.#isChanging = true;
    this.#settling = this.#around.world.after(SETTLE_US, () => this.#askAll());
  }

  #askAll(): void {
    this.#isChanging = false;
    for (const vlan of this.#around.vlans) this.#query(vlan, this.#protocol.none, SECOND_US);
  }

  freeze() {
    return {
      members: this.#members.freeze(),
      querier: this.#querier.freeze(),
      isChanging: this.#isChanging,
      settling: this.#settling,
      asked: this.#asked,
    };
  }

  thaw({ members, querier, isChanging, settling, asked }: ReturnType<Snooping<A, S>["freeze"]>): void {
    this.#members.thaw(members);
    this.#querier.thaw(querier);
    this.#isChanging = isChanging;
    this.#settling = settling;
    settling?.resume?.(() => this.#askAll());
    for (const each of asked) {
      this.#asked.add(each);
      each.timer?.resume?.(() => this.#askAgain(each));
    }
  }

  report(): SnoopingReport {
    const { format, restore } = this.#protocol;
    const { nowUs } = this.#around.world;
    const groups = new Map<
      string,
      { vlan: number; group: string; ports: { port: number; seconds: number }[] }
    >();
    for (const [vlan, group, port, leftUs] of this.#members.saveMembers(nowUs)) {
      const key = `${vlan} ${group}`;
      const found = groups.get(key) ?? { vlan, group: format(restore(group)), ports: [] };
      found.ports.push({ port, seconds: leftUs / 1e6 });
      groups.set(key, found);
    }
    const { vlans } = this.#around;
    return {
      groups: [...groups.values()],
      router_ports: [
        ...this.#settings.router_ports.flatMap((port) => vlans.map((vlan) => ({ vlan, port }))),
        ...this.#members
          .saveRouters(nowUs)
          .map(([vlan, port, leftUs]) => ({ vlan, port, seconds: leftUs / 1e6 })),
      ],
      queriers: this.#querier
        .report()
        .map(({ vlan, address, is_own }) => ({ vlan, address: format(address), is_own })),
    };
  }

  save(): SavedSnooping<S> {
    const { nowUs } = this.#around.world;
    return {
      members: this.#members.saveMembers(nowUs),
      routers: this.#members.saveRouters(nowUs),
      vlans: this.#querier.save(),
    };
  }

  #listen(vlan: number, port: number, message: GroupMessage<A>, source: A): readonly number[] | undefined {
    const { nowUs } = this.#around.world;
    const { none, save } = this.#protocol;
    if (message.kind === "query") {
      // A switch that is not the querier sends queries from the unspecified address; no router is there.
      if (source !== none) {
        this.#hearRouter(vlan, port);
        this.#querier.hear(vlan, source);
      }
      const { group, maxResponseUs, keepsTimers } = message;
      if (group !== none && !keepsTimers)
        this.#members.hurry(vlan, save(group), nowUs + ROBUSTNESS * maxResponseUs, nowUs);
      return undefined;
    }
    // Group Membership Interval (RFC 3376, 8.4).
    const untilUs = nowUs + ROBUSTNESS * this.#settings.interval * SECOND_US + RESPONSE_US;
    for (const group of message.joins) this.#members.join(vlan, save(group), port, untilUs);
    for (const group of message.leaves) this.#leave(vlan, group, port);
    return this.#routersOf(vlan);
  }

  #leave(vlan: number, group: A, port: number): void {
    const { world } = this.#around;
    const saved = this.#protocol.save(group);
    if (this.#settings.fast_leave) {
      this.#members.leave(vlan, saved, port);
      return;
    }
    if (!this.#querier.asks(vlan) || !this.#members.membersOf(vlan, saved, world.nowUs).includes(port))
      return;
    this.#members.hurry(vlan, saved, world.nowUs + ROBUSTNESS * LAST_MEMBER_US, world.nowUs, port);
    this.#query(vlan, group, LAST_MEMBER_US, port);
    const asked: Asked<A> = { vlan, group, port, timer: undefined };
    asked.timer = world.after(LAST_MEMBER_US, () => this.#askAgain(asked), "background");
    this.#asked.add(asked);
  }

  #askAgain(asked: Asked<A>): void {
    this.#asked.delete(asked);
    this.#query(asked.vlan, asked.group, LAST_MEMBER_US, asked.port);
  }

  #hearRouter(vlan: number, port: number): void {
    const { interval } = this.#settings;
    const untilUs = this.#around.world.nowUs + ROBUSTNESS * interval * SECOND_US + RESPONSE_US / 2;
    if (!this.#settings.router_ports.includes(port)) this.#members.addRouter(vlan, port, untilUs);
  }

  #routersOf(vlan: number): number[] {
    const heard = this.#members.routersOf(vlan, this.#around.world.nowUs);
    return [...this.#settings.router_ports, ...heard];
  }

  #query(vlan: number, group: A, maxResponseUs: number, port?: number): void {
    const { querier, interval } = this.#settings;
    const { none, version, encodeQuery } = this.#protocol;
    const address = this.#querier.asks(vlan) ? querier!.address : none;
    const query = { version: querier?.version ?? version, group, maxResponseUs, address, interval };
    this.#around.send(vlan, encodeQuery(query, this.#around.mac), port);
  }
}
