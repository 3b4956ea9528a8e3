/**
 * Decides the way of packets by the rules of their port's map. Fragments have no ports here, not even first ones: so all fragments of a
 * datagram take one way, as with Linux.
 */

import { readU16 } from "../../../../base/bytes.ts";
import { ownValue } from "../../../../base/own-value.ts";
import { formatAnyAddress } from "../../../../net/address/prefix.ts";
import type { Rib } from "../../../../net/fib/rib.ts";
import type { NextHop as Way } from "../../../../net/fib/route.ts";
import { type Fields, fieldsOf4, fieldsOf6, isFragment6 } from "../../../../net/packet/fields.ts";
import { toFlow, wayOf } from "../../../../net/packet/flow-hash.ts";
import type { Choice, WayChooser } from "../../../../net/plane/choice.ts";
import { trackKey } from "../../../../net/plane/route-spec.ts";
import { gatewayOf } from "../../../../net/plane/static-routes.ts";
import { type RouterPort, type Tables, type Vrf, vrfOf } from "../../../../net/plane/tables.ts";
import { ETHERNET_HEADER_BYTES } from "../../../../wire/ethernet.ts";
import type { Ipv4Header } from "../../../../wire/ipv4.ts";
import type { Ipv6Header } from "../../../../wire/ipv6.ts";
import type { RouterCore, Service, ServiceWorld } from "../base/service.ts";
import type { AclFamily } from "../firewall/acl-spec.ts";
import { matches } from "../firewall/match.ts";
import { parsePbrRule } from "./parse-pbr-rule.ts";
import type { NextHop, PbrRule } from "./pbr-rule.ts";
import type { SavedPolicies } from "./policy-spec.ts";
import { DEFAULT_VRF } from "./settings.ts";
import { trackedAs } from "./tracked-hops.ts";

const AT = ETHERNET_HEADER_BYTES;

interface PolicyMap {
  readonly texts: readonly string[];
  readonly rules: readonly PbrRule[];
  readonly hits: number[];
}

/** What a packet is to the rules. */
interface Packet<A extends number | bigint> {
  readonly fields: Fields<A>;
  readonly family: AclFamily;
  readonly dscp: number;
  readonly isFragment: boolean;
}

export class PolicyRouting implements Service, WayChooser {
  readonly #core: RouterCore;
  #maps: ReadonlyMap<string, PolicyMap>;
  /** The next hop in use of a rule, by VRF, while the tables are `#tables`. */
  readonly #hops = new Map<PbrRule, Map<string | undefined, Way<number | bigint> | null>>();
  #tables: Tables | undefined;

  constructor({ core }: ServiceWorld, saved: SavedPolicies = {}) {
    this.#core = core;
    this.#maps = this.#makeMaps((name) => ({
      texts: core.running.pbrMaps?.find((map) => map.name === name)?.rules ?? [],
      hits: ownValue(saved, name) ?? [],
    }));
    core.policy = this;
  }

  start(): void {}

  resume(): void {}

  /** Rules that did not change keep their counters. */
  changed(): void {
    const before = this.#maps;
    this.#maps = this.#makeMaps((name) => before.get(name));
    this.#tables = undefined;
  }

  stop(): void {
    this.#core.policy = undefined;
  }

  save(): SavedPolicies | undefined {
    const counted = [...this.#maps].filter(([, { hits }]) => hits.some((count) => count > 0));
    if (counted.length === 0) return undefined;
    return Object.fromEntries(counted.map(([name, { hits }]) => [name, [...hits]]));
  }

  clear(): void {
    for (const { hits } of this.#maps.values()) hits.fill(0);
  }

  /** The rules of a map with the packets that each decided. */
  list(name: string): readonly (readonly [rule: PbrRule, hits: number])[] {
    const { rules = [], hits = [] } = this.#maps.get(name) ?? {};
    return rules.map((rule, index) => [rule, hits[index]!]);
  }

  /** Why a next hop cannot be used; undefined if it can. */
  obstacleOf(hop: NextHop, vrf: string | undefined): string | undefined {
    const { tables, tracksDown } = this.#core;
    const key = trackKey(trackedAs(hop, vrf));
    if (portOf(tables, hop, vrf) === undefined) return "gateway not on a subnet";
    return key !== undefined && tracksDown.has(key) ? "tracked address down" : undefined;
  }

  choose4(port: RouterPort, frame: Uint8Array, header: Ipv4Header): Choice<number> | undefined {
    const packet: Packet<number> = {
      fields: fieldsOf4(frame, header),
      family: "ipv4",
      dscp: (frame[AT + 1] as number) >> 2,
      isFragment: header.moreFragments || header.fragmentOffset > 0,
    };
    return this.#choose(
      port,
      packet,
      ({ routes4 }) => routes4,
      ({ own4, subnetEnds }, target) => own4.has(target) || subnetEnds.has(target),
    );
  }

  choose6(port: RouterPort, frame: Uint8Array, header: Ipv6Header): Choice<bigint> | undefined {
    const packet: Packet<bigint> = {
      fields: fieldsOf6(frame, header),
      family: "ipv6",
      dscp: (readU16(frame, AT) >> 6) & 0x3f,
      isFragment: isFragment6(frame, header),
    };
    return this.#choose(
      port,
      packet,
      ({ routes6 }) => routes6,
      ({ own6 }, target) => own6.has(target),
    );
  }

  #choose<A extends number | bigint>(
    port: RouterPort,
    packet: Packet<A>,
    routesOf: (vrf: Vrf) => Rib<A>,
    isOwn: (vrf: Vrf, target: A) => boolean,
  ): Choice<A> | undefined {
    const map = this.#maps.get(port.pbr!);
    if (map === undefined) return undefined;
    for (const [index, rule] of map.rules.entries()) {
      if (!isFor(rule, packet)) continue;
      const choice = this.#apply(rule, port.vrf, packet, routesOf, isOwn);
      if (choice === undefined) continue;
      map.hits[index]! += 1;
      return rule.mark === undefined ? choice : { ...choice, mark: rule.mark };
    }
    return undefined;
  }

  /** Undefined if the rule has no way for the packet. */
  #apply<A extends number | bigint>(
    rule: PbrRule,
    from: string | undefined,
    { fields, isFragment }: Packet<A>,
    routesOf: (vrf: Vrf) => Rib<A>,
    isOwn: (vrf: Vrf, target: A) => boolean,
  ): Choice<A> | undefined {
    const { action } = rule;
    if (action.kind === "drop") return { isDropped: true };
    if (action.kind === "continue") return {};
    if (action.kind === "nexthop") {
      // The next hops of a rule are of the family of its packets.
      const route = this.#hopOf(rule, action.hops, from) as Way<A> | null;
      return route === null ? undefined : { route };
    }
    const { tables } = this.#core;
    const isDefault = action.vrf === DEFAULT_VRF && !tables.vrfs.has(DEFAULT_VRF);
    const vrf = vrfOf(tables, isDefault ? undefined : action.vrf);
    if (isOwn(vrf, fields.target)) return { isForeign: true };
    const shared = routesOf(vrf).findAll(fields.target);
    if (shared.length === 0) return undefined;
    return { route: wayOf(shared, toFlow(fields, isFragment), this.#core.flowSeed) };
  }

  /** The first next hop that can be used, as a route; null if none can. */
  #hopOf(rule: PbrRule, hops: readonly NextHop[], vrf: string | undefined): Way<number | bigint> | null {
    const { tables } = this.#core;
    if (this.#tables !== tables) this.#hops.clear();
    this.#tables = tables;
    const known = this.#hops.get(rule) ?? new Map<string | undefined, Way<number | bigint> | null>();
    const found = known.get(vrf);
    if (found !== undefined) return found;
    const hop = hops.find((each) => this.obstacleOf(each, vrf) === undefined);
    const route = hop ? { port: portOf(tables, hop, vrf)!, via: hop.via } : null;
    this.#hops.set(rule, known.set(vrf, route));
    return route;
  }

  #makeMaps(
    before: (
      name: string,
    ) => { readonly texts: readonly string[]; readonly hits: readonly number[] } | undefined,
  ): ReadonlyMap<string, PolicyMap> {
    return new Map(
      (this.#core.running.pbrMaps ?? []).map(({ name, rules: texts }) => {
        const known = before(name);
        const hits = texts.map((text) => known?.hits[known.texts.indexOf(text)] ?? 0);
        return [name, { texts, rules: texts.map((text) => parsePbrRule(text, 0) as PbrRule), hits }];
      }),
    );
  }
}

function isFor<A extends number | bigint>(
  { family, dscp, match }: PbrRule,
  { fields, isFragment, ...packet }: Packet<A>,
): boolean {
  if (family !== undefined && family !== packet.family) return false;
  if (dscp !== undefined && dscp !== packet.dscp) return false;
  if (isFragment && (match.fromPorts || match.toPorts)) return false;
  return matches(match, fields, undefined);
}

const portOf = ({ ports }: Tables, { via }: NextHop, vrf: string | undefined): number | undefined =>
  gatewayOf(
    formatAnyAddress(via),
    ports.filter((port) => port.vrf === vrf),
  );
