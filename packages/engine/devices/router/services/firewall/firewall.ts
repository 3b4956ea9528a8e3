/**
 * What the guards of both families share: the access lists, the connections and the translation of addresses, made anew when the
 * configuration changes. A router without these features has none of it.
 *
 *     frame -> connection known? -> list "in" -> translate target -> route -> translate source -> list "out" -> frame
 */

import type { Fields } from "../../../../net/packet/fields.ts";
import { interfacesOf } from "../../../../net/plane/config.ts";
import type { Tables } from "../../../../net/plane/tables.ts";
import type { RouterConfig, RouterPortSpec } from "../base/config.ts";
import type { RouterCore } from "../base/service.ts";
import { Translator } from "../nat/translator.ts";
import { AccessLists } from "./access-lists.ts";
import type { AclFamily, AclSpec } from "./acl-spec.ts";
import { type ConnectionLimits, limitsOf } from "./connection-limits.ts";
import { type Connection, Connections, isTranslated, type Room } from "./connections.ts";
import type { AclState, FirewallState } from "./firewall-state.ts";
import type { Action, PacketState } from "./rule.ts";
import { fromSaved4, fromSaved6, toSaved4, toSaved6 } from "./saved-connections.ts";

/** What `clear` removes. */
export const CLEARABLE = ["access-list counters", "logging", "connections", "ip nat translation"] as const;

const NO_ACLS: readonly AclSpec[] = [];
const NOTHING_SEEN: AclState = { hits: {}, log: [], logged: 0 };

/** RFC 5424, section 6.2.1. */
const INFORMATIONAL = 6;

export class Firewall {
  readonly #core: RouterCore;
  readonly #room: Room = { used: 0, limit: 0 };
  readonly connections4: Connections<number>;
  readonly connections6: Connections<bigint>;
  #running: RouterConfig | undefined;
  #tables: Tables | undefined;
  #ports: readonly RouterPortSpec[] = [];
  #lists: AccessLists;
  #limits: ConnectionLimits = limitsOf(undefined);
  #nat: Translator | undefined;
  #isOn = false;
  #tracks = false;

  constructor(core: RouterCore, state: FirewallState = {}) {
    this.#core = core;
    this.connections4 = new Connections(this.#room);
    this.connections6 = new Connections(this.#room);
    this.#lists = new AccessLists(NO_ACLS);
    this.#configure({ acls: core.running.acls ?? NO_ACLS, state: state.acls ?? NOTHING_SEEN });
    for (const saved of state.connections4 ?? []) this.connections4.add(fromSaved4(saved));
    for (const saved of state.connections6 ?? []) this.connections6.add(fromSaved6(saved));
  }

  /** Whether packets have to be looked at. */
  get isOn(): boolean {
    this.#update();
    return this.#isOn;
  }

  /** Whether connections are tracked: a rule asks for their state, or addresses are translated. */
  get tracks(): boolean {
    this.#update();
    return this.#tracks;
  }

  get limits(): ConnectionLimits {
    return this.#limits;
  }

  get lists(): AccessLists {
    this.#update();
    return this.#lists;
  }

  get nat(): Translator | undefined {
    this.#update();
    return this.#nat;
  }

  /** The connections whose addresses or ports are translated. */
  listTranslated(): readonly Connection<number>[] {
    return this.listConnections().ipv4.filter(isTranslated);
  }

  /** What the list of a port decides; a port without a list permits. */
  decide(
    port: number,
    direction: "in" | "out",
    family: AclFamily,
    packet: Fields<number | bigint>,
    state: PacketState | undefined,
  ): Action {
    const spec = this.#ports[port];
    const acls = spec?.acls;
    if (acls === undefined) return "permit";
    const name = family === "ipv4" ? acls[`acl_${direction}`] : acls[`acl6_${direction}`];
    if (name === undefined) return "permit";
    return this.#lists.decide(name, packet, state, {
      nowUs: this.#core.world.nowUs,
      port: spec!.name,
      direction,
      report: (text) => this.#core.onEvent?.({ severity: INFORMATIONAL, id: "ACCESS_LIST", text }),
    });
  }

  listConnections(): {
    readonly ipv4: readonly Connection<number>[];
    readonly ipv6: readonly Connection<bigint>[];
  } {
    this.#update();
    const { nowUs } = this.#core.world;
    return { ipv4: this.connections4.list(nowUs), ipv6: this.connections6.list(nowUs) };
  }

  clear(what: (typeof CLEARABLE)[number]): void {
    if (what === "access-list counters") this.lists.clearCounters();
    else if (what === "logging") this.lists.clearLog();
    else if (what === "connections") this.#clearConnections();
    else this.#clearTranslated(() => true);
  }

  /** Undefined if nothing is configured. */
  saveState(): FirewallState | undefined {
    if (!this.isOn) return undefined;
    const { ipv4, ipv6 } = this.listConnections();
    return {
      ...(this.#core.running.acls && { acls: this.#lists.saveState() }),
      ...(ipv4.length > 0 && { connections4: ipv4.map(toSaved4) }),
      ...(ipv6.length > 0 && { connections6: ipv6.map(toSaved6) }),
    };
  }

  #update(): void {
    if (this.#core.tables === this.#tables) return;
    const acls = this.#running?.acls ?? NO_ACLS;
    this.#configure({ acls, state: this.#lists.saveState() });
  }

  #clearTranslated(isOver: (connection: Connection<number>) => boolean): void {
    for (const connection of this.connections4.list(this.#core.world.nowUs))
      if (isTranslated(connection) && isOver(connection)) this.connections4.remove(connection);
  }

  #clearConnections(): void {
    this.connections4.clear();
    this.connections6.clear();
  }

  #configure(before: { readonly acls: readonly AclSpec[]; readonly state: AclState }): void {
    const { running, tables } = this.#core;
    this.#lists = new AccessLists(running.acls ?? NO_ACLS, before);
    this.#limits = limitsOf(running.connections);
    this.#room.limit = this.#limits.limit;
    this.#nat = running.nat && new Translator(running.nat, tables);
    this.#isOn = running.acls !== undefined || this.#nat !== undefined;
    this.#tracks = this.#lists.needsStates || this.#nat !== undefined;
    if (!this.#tracks) this.#clearConnections();
    // Other rules make other translations, and an address that the router has lost leads nowhere.
    else if (JSON.stringify(this.#running?.nat) !== JSON.stringify(running.nat))
      this.#clearTranslated(() => true);
    else
      this.#clearTranslated(
        ({ reply: { target } }) => !tables.own4.has(target) && !this.#nat?.hasOutside(undefined, target),
      );
    this.#ports = interfacesOf(running);
    this.#running = running;
    this.#tables = tables;
  }
}

declare module "../base/parts.ts" {
  interface Parts {
    readonly firewall: Firewall;
  }
}
