/**
 * Policy routing: maps of ordered rules, as those of FRR, that decide the way of the packets which a port forwards before its table of
 * routes does. A rule is a line of text, the same in `properties`, at the console and in the stored configuration:
 *
 *     [seq N] [match [src-ip PREFIX] [dst-ip PREFIX] [ip-protocol P] [src-port N[-M]] [dst-port N[-M]] [dscp D]]
 *             set [dscp D] [nexthop GW [track ADDR] [nexthop ...] | vrf NAME | drop]
 *
 * The first rule that matches and has a way applies. A rule has none while no next hop of it can be used, or while its VRF has no route: the
 * packet then goes on to the next rule, and after the last one to the table of routes, as with `ip rule` of Linux.
 */

export interface PbrMapSpec {
  readonly name: string;
  /** In the order of their numbers, as `formatPbrRule` writes them. */
  readonly rules: readonly string[];
}

export interface PbrMapProperties {
  name: string;
  rules: string[];
}

/** The part of a configuration that this folder reads; absent if there are no maps. */
export interface PolicySpec {
  readonly pbrMaps?: readonly PbrMapSpec[];
}

export interface PolicyProperties {
  pbr_maps?: PbrMapProperties[];
}

/** By map: how many packets each rule decided. */
export type SavedPolicies = Readonly<Record<string, readonly number[]>>;

export const MAX_PBR_MAPS = 64;
/** The rules of all maps together, whose counters are part of the router's state. */
export const MAX_PBR_RULES = 512;
export const MAX_PBR_NUMBER = 65_535;
export const PBR_NUMBER_STEP = 10;
export const MAX_NEXT_HOPS = 8;

export const formatPolicy = ({ pbrMaps }: PolicySpec): PolicyProperties =>
  pbrMaps ? { pbr_maps: pbrMaps.map(({ name, rules }) => ({ name, rules: [...rules] })) } : {};
