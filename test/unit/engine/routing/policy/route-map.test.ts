/**
 * Verdicts of lists and route maps. They are those of FRR: its documentation ("Route Maps", "Filtering") has the order of match, set, call and
 * exit. That a prefix list which does not exist matches nothing was measured with FRR 8.4.4; other lists, and maps which do not exist, were not.
 */
import { describe, expect, it } from "vitest";
import { parseAnyPrefix } from "../../../../../packages/engine/net/address/prefix.ts";
import {
  type ListSpec,
  policiesOf,
  type RouteMapSpec,
} from "../../../../../packages/engine/routing/policy/policies.ts";
import type {
  BgpAttributes,
  Judge,
  JudgedRoute,
} from "../../../../../packages/engine/routing/policy/route.ts";
import { applyRouteMap } from "../../../../../packages/engine/routing/policy/route-map.ts";
import { parseIpv4 } from "../../../../../packages/engine/wire/ipv4-address.ts";

const BGP: BgpAttributes = {
  origin: 2,
  asPath: [{ type: 2, systems: [65001, 65002] }],
  localPreference: 100,
  weight: 0,
  communities: [65000 * 65536 + 1, 0xffff_ff01],
  largeCommunities: [[65000, 1, 2]],
  extendedCommunities: [],
  isAtomicAggregate: false,
  aggregator: null,
  originatorId: null,
  peer: "10.0.0.2",
  peerAs: 65001,
};

const ROUTE: JudgedRoute = {
  prefix: parseAnyPrefix("10.1.2.0/24")!,
  protocol: "bgp",
  metric: 7,
  tag: 9,
  nextHop: parseIpv4("10.0.0.2")!,
  interface: "eth0",
  bgp: BGP,
};

const LISTS: readonly ListSpec[] = [
  {
    type: "ip prefix-list",
    name: "TEN",
    rules: ["seq 5 deny 10.1.3.0/24", "seq 10 permit 10.0.0.0/8 ge 16 le 24"],
  },
  { type: "ip prefix-list", name: "EXACT", rules: ["seq 5 permit 10.1.0.0/16"] },
  { type: "ip prefix-list", name: "HOP", rules: ["seq 5 permit 10.0.0.2/32"] },
  { type: "ip prefix-list", name: "EMPTY", description: "nothing", rules: [] },
  { type: "bgp as-path access-list", name: "P", rules: ["seq 5 deny _65009_", "seq 10 permit ^65001_"] },
  { type: "bgp community-list standard", name: "C", rules: ["seq 5 permit 65000:1"] },
  { type: "bgp community-list standard", name: "BOTH", rules: ["seq 5 permit no-export 65000:1"] },
  { type: "bgp community-list expanded", name: "X", rules: ["seq 5 permit ^65000:.* no-export$"] },
  { type: "bgp large-community-list standard", name: "L", rules: ["seq 5 permit 65000:1:2"] },
  { type: "bgp large-community-list expanded", name: "LX", rules: ["seq 5 permit :9$"] },
];

const entry = (seq: number, others: Partial<RouteMapSpec> = {}): RouteMapSpec => ({
  name: "M",
  seq,
  action: "permit",
  match: [],
  set: [],
  ...others,
});

const judge = (entries: readonly RouteMapSpec[], route: JudgedRoute = ROUTE, by: Judge = "bgp") =>
  applyRouteMap(policiesOf({ routeLists: LISTS, routeMaps: entries }), "M", by, route);

describe("a match", () => {
  it.each([
    ["ip address prefix-list TEN", true],
    ["ip address prefix-list EXACT", false],
    ["ip address prefix-list NONE", false],
    ["ip address prefix-list EMPTY", true],
    ["ipv6 address prefix-list TEN", false],
    ["ip address prefix-len 24", true],
    ["ip address prefix-len 25", false],
    ["ip next-hop prefix-list HOP", true],
    ["ip next-hop prefix-list TEN", false],
    ["ip next-hop address 10.0.0.2", true],
    ["ip next-hop address 10.0.0.3", false],
    ["ip next-hop type blackhole", false],
    ["interface eth0", true],
    ["interface eth1", false],
    ["metric 7", true],
    ["metric 8", false],
    ["tag 9", true],
    ["tag 8", false],
    ["source-protocol bgp", true],
    ["source-protocol ospf", false],
    ["as-path P", true],
    ["as-path NONE", false],
    ["community C", true],
    ["community C exact-match", false],
    ["community BOTH exact-match", true],
    ["community X", true],
    ["community NONE", false],
    ["large-community L", true],
    ["large-community L exact-match", true],
    ["large-community LX", false],
    ["local-preference 100", true],
    ["local-preference 101", false],
    ["origin incomplete", true],
    ["origin igp", false],
    ["peer 10.0.0.2", true],
    ["peer local", false],
  ])("%s: %s", (match, verdict) =>
    expect(judge([entry(10, { match: [match] })]) !== undefined).toBe(verdict),
  );

  it("needs each of its clauses", () => {
    expect(judge([entry(10, { match: ["tag 9", "metric 8"] })])).toBeUndefined();
    expect(judge([entry(10, { match: ["tag 9", "metric 7"] })])).toEqual(ROUTE);
  });

  it("ignores a clause that the protocol does not have", () => {
    expect(judge([entry(10, { match: ["metric 8"] })], ROUTE, "ospf")).toEqual(ROUTE);
    expect(judge([entry(10, { match: ["as-path NONE"] })], ROUTE, "rip")).toEqual(ROUTE);
    expect(judge([entry(10, { match: ["metric 8"] })], ROUTE, "rip")).toBeUndefined();
  });

  it("needs attributes of BGP for its clauses", () => {
    const { bgp: _, ...other } = ROUTE;
    expect(judge([entry(10, { match: ["origin incomplete"] })], other)).toBeUndefined();
  });

  it.each([
    ["10.1.0.0/16", true],
    ["10.1.3.0/24", false],
    ["10.1.2.0/25", false],
    ["10.0.0.0/8", false],
    ["11.1.2.0/24", false],
    ["2001:db8::/24", false],
  ])("of a prefix list with ge and le: %s, %s", (prefix, verdict) => {
    const route = { ...ROUTE, prefix: parseAnyPrefix(prefix)! };
    expect(judge([entry(10, { match: ["ip address prefix-list TEN"] })], route) !== undefined).toBe(verdict);
  });
});

describe("a change", () => {
  const changed = (...set: readonly string[]) => judge([entry(10, { set })])!;
  it.each([
    ["metric 5", { metric: 5, isMetricSet: true }],
    ["metric +5", { metric: 12, isMetricSet: true }],
    ["metric -8", { metric: 0, isMetricSet: true }],
    ["tag 4", { tag: 4 }],
    ["ip next-hop 10.9.9.9", { nextHop: parseIpv4("10.9.9.9") }],
    ["ip next-hop peer-address", { nextHopRule: "peer-address" }],
    ["ip next-hop unchanged", { nextHopRule: "unchanged" }],
    ["ipv6 next-hop global 2001:db8::1", { nextHop: 0x20010db8_00000000_00000000_00000001n }],
    ["ipv6 next-hop local fe80::1", { linkLocal: 0xfe80n * 2n ** 112n + 1n }],
    ["distance 3", { distance: 3 }],
    ["metric-type type-1", {}],
  ])("%s", (set, change) => expect(changed(set)).toEqual({ ...ROUTE, ...change }));

  it.each([
    ["local-preference 5", { localPreference: 5 }],
    ["local-preference +5", { localPreference: 105 }],
    ["weight 5", { weight: 5 }],
    ["origin egp", { origin: 1 }],
    ["as-path prepend 7 8", { asPath: [{ type: 2, systems: [7, 8, 65001, 65002] }] }],
    ["as-path prepend last-as 2", { asPath: [{ type: 2, systems: [65001, 65001, 65001, 65002] }] }],
    ["as-path exclude 65001", { asPath: [{ type: 2, systems: [65002] }] }],
    ["as-path exclude 65001 65002", { asPath: [] }],
    ["community 65000:2", { communities: [65000 * 65536 + 2] }],
    ["community 1:1 additive", { communities: [65537, 65000 * 65536 + 1, 0xffff_ff01] }],
    ["community none", { communities: [] }],
    ["comm-list C delete", { communities: [0xffff_ff01] }],
    ["comm-list NONE delete", {}],
    [
      "large-community 1:2:3 additive",
      {
        largeCommunities: [
          [1, 2, 3],
          [65000, 1, 2],
        ],
      },
    ],
    ["large-comm-list L delete", { largeCommunities: [] }],
    ["extcommunity rt 65000:1", { extendedCommunities: [[0x0002_0000 + 65000, 1]] }],
    ["extcommunity soo 10.0.0.1:2", { extendedCommunities: [[0x0103_0a00, 0x0001_0002]] }],
    ["extcommunity rt 4200000000:2", { extendedCommunities: [[0x0202_fa56, 0xea00_0002]] }],
    ["atomic-aggregate", { isAtomicAggregate: true }],
    ["aggregator as 7 10.0.0.1", { aggregator: { system: 7, address: parseIpv4("10.0.0.1") } }],
    ["originator-id 10.0.0.1", { originatorId: parseIpv4("10.0.0.1") }],
  ])("%s", (set, change) => expect(changed(set)).toEqual({ ...ROUTE, bgp: { ...BGP, ...change } }));

  it("is made in the order of the lines", () => {
    expect(changed("community 65000:1 65000:2", "comm-list C delete").bgp!.communities).toEqual([
      65000 * 65536 + 2,
    ]);
    expect(changed("comm-list C delete", "community 65000:1 additive").bgp!.communities).toEqual(
      BGP.communities,
    );
  });

  it("is not made for a protocol that does not have it", () => {
    expect(judge([entry(10, { set: ["weight 5", "metric-type type-1"] })], ROUTE, "ospf")).toEqual({
      ...ROUTE,
      metricType: "1",
    });
  });

  it("begins another segment where one of 255 systems is full", () => {
    const path = [{ type: 2, systems: Array.from({ length: 255 }, () => 1) }];
    const route = { ...ROUTE, bgp: { ...BGP, asPath: path } };
    expect(judge([entry(10, { set: ["as-path prepend 7"] })], route)!.bgp!.asPath).toEqual([
      { type: 2, systems: [7] },
      ...path,
    ]);
  });
});

describe("a route map", () => {
  const NOT = { match: ["tag 1"] };
  it("that does not exist denies each route", () => {
    expect(applyRouteMap(policiesOf({}), "M", "bgp", ROUTE)).toBeUndefined();
  });

  it("denies what no entry matches", () => expect(judge([entry(10, NOT)])).toBeUndefined());

  it("goes by the first entry that matches", () => {
    expect(judge([entry(20), entry(10, { action: "deny" })])).toBeUndefined();
    expect(judge([entry(20, { action: "deny" }), entry(10, { set: ["tag 2"] })])).toEqual({
      ...ROUTE,
      tag: 2,
    });
    expect(judge([entry(10, { ...NOT, action: "deny" }), entry(20)])).toEqual(ROUTE);
  });

  it("goes on behind an entry with on-match next, and keeps what it permitted", () => {
    const first = entry(10, { set: ["tag 2"], onMatch: "next" });
    expect(judge([first, entry(20, { match: ["tag 2"], set: ["weight 3"] })])).toEqual({
      ...ROUTE,
      tag: 2,
      bgp: { ...BGP, weight: 3 },
    });
    expect(judge([first, entry(20, NOT)])).toEqual({ ...ROUTE, tag: 2 });
    expect(judge([first, entry(20, { action: "deny" })])).toBeUndefined();
  });

  it("goes on with the entry of on-match goto, or the next one behind it", () => {
    const first = entry(10, { onMatch: "goto 25" });
    expect(judge([first, entry(20, { action: "deny" }), entry(30, { set: ["tag 3"] })])).toEqual({
      ...ROUTE,
      tag: 3,
    });
    expect(judge([first, entry(20, { action: "deny" })])).toEqual(ROUTE);
  });

  it("calls another one after its changes: a denial there is final", () => {
    const called = (others: Partial<RouteMapSpec>) => entry(5, { name: "N", ...others });
    const first = entry(10, { set: ["tag 2"], call: "N" });
    expect(judge([first, called({ match: ["tag 2"], set: ["weight 1"] })])).toEqual({
      ...ROUTE,
      tag: 2,
      bgp: { ...BGP, weight: 1 },
    });
    expect(judge([first, called(NOT), entry(20)])).toBeUndefined();
    expect(judge([entry(10, { call: "NONE" })])).toEqual(ROUTE);
  });

  it("that calls itself denies", () => expect(judge([entry(10, { call: "M" })])).toBeUndefined());
});
