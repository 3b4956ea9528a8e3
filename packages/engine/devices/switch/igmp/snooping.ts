/**
 * IGMP snooping (RFC 4541, 2.1): a switch that listens to reports and queries, and sends frames to a group only where they are wanted.
 *
 *     query             to all ports; where it comes from is a router
 *     report, leave     to routers
 *     224.0.0.x         to all ports: protocols between neighbours send no reports for these groups
 *     another group     to its members and to routers
 */
import { readU16, readU32 } from "../../../base/bytes.ts";
import { ETHERNET_HEADER_BYTES, ETHERTYPE_IPV4, etherType } from "../../../wire/ethernet.ts";
import { decodeIgmp, encodeIgmpQuery, type Igmp, PROTOCOL_IGMP } from "../../../wire/igmp.ts";
import { formatIpv4 } from "../../../wire/ipv4-address.ts";
import type { World } from "../../device.ts";
import { Members, type SavedMembership, type SavedRouter } from "./members.ts";
import { Querier, type SavedVlan } from "./querier.ts";
import type { IgmpSettings } from "./settings.ts";

const SECOND_US = 1_000_000;
const RESPONSE_US = 10 * SECOND_US;
/** Last Member Query Interval, and how often the group is asked (RFC 3376, 8.8 and 8.9). */
const LAST_MEMBER_US = SECOND_US;
const ROBUSTNESS = 2;
/** Frames of a tree that changes are all sent before the query that follows the change. */
const SETTLE_US = 1_000;
const PROTOCOL_PIM = 103;
const LOCAL_GROUPS = 0xe0_0000;
const FRAGMENT_OFFSET = 0x1fff;

export interface SavedIgmp {
  readonly members: readonly SavedMembership[];
  readonly routers: readonly SavedRouter[];
  readonly vlans: readonly SavedVlan[];
}

export interface IgmpReport {
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

export class IgmpSnooping {
  readonly #settings: IgmpSettings;
  readonly #around: SnoopingSurroundings;
  readonly #members: Members;
  readonly #querier: Querier;
  #isChanging = false;

  constructor(settings: IgmpSettings, around: SnoopingSurroundings, saved?: SavedIgmp) {
    this.#settings = settings;
    this.#around = around;
    const { world, vlans, carries } = around;
    this.#members = new Members(
      saved?.members.filter(([vlan, , port]) => carries(port, vlan)) ?? [],
      saved?.routers.filter(([vlan, port]) => carries(port, vlan)) ?? [],
      world.nowUs,
    );
    const ask = (vlan: number): void => this.#query(vlan, 0, RESPONSE_US);
    const { querier, interval } = settings;
    this.#querier = new Querier(querier?.address, interval, vlans, world, ask, saved?.vlans);
  }

  start(): void {
    this.#querier.start();
  }

  /**
   * @param frame of at least 14 bytes, to a group of IPv4, without the tag of its VLAN.
   * @returns the ports to which it goes; undefined: to all.
   */
  route(vlan: number, port: number, frame: Uint8Array): readonly number[] | undefined {
    const at = ETHERNET_HEADER_BYTES;
    if (etherType(frame) !== ETHERTYPE_IPV4 || frame.length < at + 20) return undefined;
    const group = readU32(frame, at + 16);
    const isFirst = (readU16(frame, at + 6) & FRAGMENT_OFFSET) === 0;
    const protocol = frame[at + 9];
    const { nowUs } = this.#around.world;
    if (protocol === PROTOCOL_PIM) this.#hearRouter(vlan, port);
    if (protocol === PROTOCOL_IGMP && isFirst) {
      const end = Math.min(frame.length, at + readU16(frame, at + 2));
      const message = decodeIgmp(frame, at + (frame[at]! & 15) * 4, end);
      if (message !== undefined) return this.#listen(vlan, port, message, readU32(frame, at + 12));
    }
    if (group >>> 8 === LOCAL_GROUPS) return undefined;
    const members = this.#members.membersOf(vlan, group, nowUs);
    if (members.length === 0 && this.#settings.flood_unknown) return undefined;
    return [...new Set([...members, ...this.#routersOf(vlan)])];
  }

  /** Forgets what is behind a port whose link is gone. */
  flush(port: number): void {
    this.#members.flush(port);
  }

  /** The tree has changed at a port: asks all members to report, so that they are found on their new ways (RFC 4541, 2.1.1). */
  treeChanged(port: number): void {
    this.#members.flush(port);
    if (this.#isChanging) return;
    this.#isChanging = true;
    const ask = (): void => {
      this.#isChanging = false;
      for (const vlan of this.#around.vlans) this.#query(vlan, 0, SECOND_US);
    };
    this.#around.world.after(SETTLE_US, ask);
  }

  report(): IgmpReport {
    const { nowUs } = this.#around.world;
    const groups = new Map<
      string,
      { vlan: number; group: string; ports: { port: number; seconds: number }[] }
    >();
    for (const [vlan, group, port, leftUs] of this.#members.saveMembers(nowUs)) {
      const key = `${vlan} ${group}`;
      const found = groups.get(key) ?? { vlan, group: formatIpv4(group), ports: [] };
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
        .map(({ vlan, address, is_own }) => ({ vlan, address: formatIpv4(address), is_own })),
    };
  }

  save(): SavedIgmp {
    const { nowUs } = this.#around.world;
    return {
      members: this.#members.saveMembers(nowUs),
      routers: this.#members.saveRouters(nowUs),
      vlans: this.#querier.save(),
    };
  }

  #listen(vlan: number, port: number, message: Igmp, source: number): readonly number[] | undefined {
    const { nowUs } = this.#around.world;
    if (message.kind === "query") {
      // A switch that is not the querier sends queries from 0.0.0.0; no router is there.
      if (source !== 0) {
        this.#hearRouter(vlan, port);
        this.#querier.hear(vlan, source);
      }
      const { group, maxResponseUs, keepsTimers } = message;
      if (group !== 0 && !keepsTimers)
        this.#members.hurry(vlan, group, nowUs + ROBUSTNESS * maxResponseUs, nowUs);
      return undefined;
    }
    // Group Membership Interval (RFC 3376, 8.4).
    const untilUs = nowUs + ROBUSTNESS * this.#settings.interval * SECOND_US + RESPONSE_US;
    for (const group of message.joins) this.#members.join(vlan, group, port, untilUs);
    for (const group of message.leaves) this.#leave(vlan, group, port);
    return this.#routersOf(vlan);
  }

  #leave(vlan: number, group: number, port: number): void {
    const { world } = this.#around;
    if (this.#settings.fast_leave) {
      this.#members.leave(vlan, group, port);
      return;
    }
    if (!this.#querier.asks(vlan) || !this.#members.membersOf(vlan, group, world.nowUs).includes(port))
      return;
    this.#members.hurry(vlan, group, world.nowUs + ROBUSTNESS * LAST_MEMBER_US, world.nowUs, port);
    const ask = (): void => this.#query(vlan, group, LAST_MEMBER_US, port);
    ask();
    world.after(LAST_MEMBER_US, ask, "background");
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

  #query(vlan: number, group: number, maxResponseUs: number, port?: number): void {
    const { querier, interval } = this.#settings;
    const address = this.#querier.asks(vlan) ? querier!.address : 0;
    const version = querier?.version ?? 2;
    const frame = encodeIgmpQuery({ version, group, maxResponseUs, address, interval }, this.#around.mac);
    this.#around.send(vlan, frame, port);
  }
}
