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

/** By map: how many packets each rule decided. */
export type SavedPolicies = Readonly<Record<string, readonly number[]>>;

export const MAX_NEXT_HOPS = 8;

declare module "../base/service.ts" {
  interface SavedServices {
    /** How many packets each rule of policy routing decided. */
    readonly pbr?: SavedPolicies;
  }
}
